import { eventTitle, formerSecretHours, sentEvents } from "#domain/webhook.ts";

const header = (name: string, description: string) => ({
  name,
  in: "header" as const,
  required: true,
  description,
  schema: { type: "string" as const },
});

const headers = [
  header("webhook-id", "Names the message. It may come twice, always under the same name."),
  header("webhook-timestamp", "When it was sent, in seconds since 1970. Refuse one that is minutes off."),
  header(
    "webhook-signature",
    `\`v1,\` and, in base64, the HMAC-SHA-256 of \`{webhook-id}.{webhook-timestamp}.{body}\`. The key is what
follows \`whsec_\` in the webhook's secret, decoded from base64. For ${formerSecretHours} hours after a secret was
replaced the former one signs too: signatures have a space between them, and one that is right is enough.`.replaceAll(
      "\n",
      " ",
    ),
  ),
];

const responses = {
  "2XX": { description: "It has arrived." },
  "410": { description: "Nothing is to be sent any more: the webhook is stopped." },
  default: {
    description: "It is sent again, with growing pauses, for most of a day. Redirects are not followed.",
  },
};

/** `AuctionOutbidEvent` for `auction.outbid`. */
const schemaName = (type: string): string =>
  `${type.replaceAll(/(^|[.-])(\w)/g, (_, __, letter: string) => letter.toUpperCase())}Event`;

/** Events carry only ids. An event about several things lacks theirs. */
const schemaOf = (type: string, ids: readonly string[]) => ({
  title: schemaName(type),
  type: "object" as const,
  properties: {
    type: { const: type },
    timestamp: { type: "string" as const, format: "date-time", description: "When it happened." },
    data: {
      type: "object" as const,
      description: "What it is about. An id is missing where there are several at once.",
      properties: Object.fromEntries(ids.map((id) => [id, { type: "string" as const }])),
    },
  },
  required: ["type", "timestamp", "data"],
});

/** Webhook events by type, as OpenAPI describes them: a receiver can be written from this alone. */
export const describedWebhooks = Object.fromEntries(
  sentEvents.map(({ type, ids }) => [
    type,
    {
      post: {
        tags: ["webhooks"],
        operationId: type,
        summary: eventTitle(type),
        description: `Sent to webhooks that were set up for \`${type}\`.`,
        // The signature identifies the sender.
        security: [],
        parameters: headers,
        requestBody: {
          required: true,
          content: { "application/json": { schema: schemaOf(type, ids) } },
        },
        responses,
      },
    },
  ]),
);

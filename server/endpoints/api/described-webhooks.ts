import { eventTitle, formerSecretHours, sentEvents } from "#domain/webhook.ts";

const header = (name: string, description: string) => ({
  name,
  in: "header" as const,
  required: true,
  description,
  schema: { type: "string" as const },
});

const headers = [
  header(
    "webhook-id",
    "Id of the message. A message may be delivered more than once, always with the same id.",
  ),
  header(
    "webhook-timestamp",
    "Time at which the message was sent, in seconds since 1970. Reject a message whose time is several minutes off.",
  ),
  header(
    "webhook-signature",
    `\`v1,\` and the HMAC-SHA-256 of \`{webhook-id}.{webhook-timestamp}.{body}\` in base64. The key is the part of
the webhook's secret after \`whsec_\`, decoded from base64. For ${formerSecretHours} hours after a secret is replaced,
messages are signed with the former secret too. The signatures are separated by spaces; accept the message if one of
them is valid.`.replaceAll("\n", " "),
  ),
];

const responses = {
  "2XX": { description: "The message was received." },
  "410": { description: "The receiver wants no more messages. Wayfare stops the webhook." },
  default: {
    description:
      "Wayfare sends the message again, with increasing delays, for most of a day. Messages that a user sends by hand, such as tests, are sent only once. Redirects are not followed.",
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
    timestamp: {
      type: "string" as const,
      format: "date-time",
      description: "Time at which the event happened.",
    },
    data: {
      type: "object" as const,
      description:
        "Ids of what the event is about. An id is missing if the event is about several things of its kind.",
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
        description: `Wayfare sends this event to webhooks that were set up for \`${type}\`.`,
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

import { done, problemRefusal, refusal, visitor } from "#server/procedures.ts";
import { sendMessage } from "./commands.ts";

export const contact = {
  send: visitor.contact.send.handler(async ({ input, context }) => {
    const outcome = await sendMessage(context.services, input, context.address);
    switch (outcome.kind) {
      case "sent":
        return done;
      case "problem":
        throw problemRefusal(outcome.problem);
      case "locked":
        context.resHeaders?.set("retry-after", String(outcome.retryAfter));
        throw refusal("resource-exhausted", { retryAfter: outcome.retryAfter });
    }
  }),
};

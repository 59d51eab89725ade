import { done, visitor } from "#server/procedures.ts";
import { sendMessage } from "./commands.ts";

export const contact = {
  send: visitor.contact.send.handler(async ({ input, context }) => {
    await sendMessage(context.services, input, context.address);
    return done;
  }),
};

import { z } from "zod";
import { deliveryProblems, deliveryStates, stopReasons, webhookStates } from "#domain/webhook.ts";
import { done, formText, guarded } from "./base.ts";
import { declared } from "./errors.ts";

/** Calls that send data elsewhere, or stop doing so, need a recent login. */
const changing = guarded({ who: "staff" }).errors(declared("auth/requires-recent-login"));
const byId = z.object({ id: z.uuid() });
const settings = z.object({ url: formText, events: z.array(z.string().max(60)).max(60) });
/** A secret is shown once: afterwards nobody can read it. */
const secret = z.string();

const webhook = z.object({
  id: z.string(),
  url: z.string(),
  /** Types of events, such as `application.moved`. */
  events: z.array(z.string()),
  state: z.enum(webhookStates),
  /** Why and when Wayfare stopped it; null if it did not. */
  stopped: z.object({ because: z.enum(stopReasons), at: z.date() }).nullable(),
  createdAt: z.date(),
  /** Until when a former secret signs beside the current one; null if there is none. */
  formerSecretUntil: z.date().nullable(),
});
export type Webhook = z.infer<typeof webhook>;

/** `status`: of the last attempt's response; `problem`: why there was none. */
const delivery = z.object({
  id: z.string(),
  type: z.string(),
  createdAt: z.date(),
  state: z.enum(deliveryStates),
  attempts: z.number().int(),
  attemptedAt: z.date().nullable(),
  status: z.number().int().nullable(),
  problem: z.enum(deliveryProblems).nullable(),
});
export type WebhookDelivery = z.infer<typeof delivery>;

/** For agents and admins: addresses to which their notifications are sent, following Standard Webhooks. */
export const webhooks = {
  /** The caller's webhooks, the oldest first. `events`: all types that they can choose. */
  mine: guarded({ who: "staff", reads: true }).output(
    z.object({ webhooks: z.array(webhook), events: z.array(z.string()) }),
  ),

  /** `resource-exhausted`: the account has five. */
  add: changing
    .errors(declared("form/incomplete", "account/unverified"))
    .input(settings)
    .output(z.object({ id: z.string(), secret })),

  /** Changes the address and the events. Waiting deliveries go to the new address; the secret stays. */
  change: changing
    .errors(declared("not-found", "form/incomplete"))
    .input(z.object({ ...byId.shape, ...settings.shape }))
    .output(done),

  /** Pauses a webhook: waiting deliveries are not sent any more. */
  pause: guarded({ who: "staff" }).errors(declared("not-found")).input(byId).output(done),

  /** Turns a webhook on again, after its owner has paused or Wayfare has stopped it. */
  resume: changing.errors(declared("not-found")).input(byId).output(done),

  /** Creates a new secret; the former one signs beside it for a day. `resource-exhausted`: five sign already. */
  rotateSecret: changing.errors(declared("not-found")).input(byId).output(z.object({ secret })),

  remove: changing.errors(declared("not-found")).input(byId).output(done),

  /** Sends an event of the type `webhook.test`, once. `failed-precondition`: it is not active. */
  sendTest: guarded({ who: "staff" })
    .errors(declared("not-found", "failed-precondition"))
    .input(byId)
    .output(done),

  /** The last 50 deliveries, newest first. */
  deliveries: guarded({ who: "staff", reads: true })
    .errors(declared("not-found"))
    .input(byId)
    .output(z.object({ deliveries: z.array(delivery) })),

  /** Sends a delivery again, once, under the same id. `failed-precondition`: it waits, or its webhook is not active. */
  sendAgain: guarded({ who: "staff" })
    .errors(declared("not-found", "failed-precondition"))
    .input(byId)
    .output(done),
};

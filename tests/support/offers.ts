import type { Offer } from "#contract/offers.ts";
import { confirmList, submittedApplication } from "./applications.ts";
import { uploadHeaders } from "./documents.ts";
import type { Person } from "./factories.ts";
import { pdf } from "./files.ts";
import type { Wayfare } from "./wayfare.ts";

/** A deadline of an institution in London, as a form sends it. */
export const inLondon = (date: string, time: string | null = null) => ({
  date,
  time,
  zone: "Europe/London",
  whose: "institution",
  hard: true,
});

/** An offer with three conditions, a deposit and a start date, with only valid fields. */
export const offerForm = {
  conditions: [
    { text: "IELTS 6.5 overall", kind: "score", due: inLondon("2099-06-01") },
    { text: "Final transcript", kind: "document", due: null },
    { text: "Application fee", kind: "payment", due: null },
  ],
  replyBy: inLondon("2099-08-12", "17:00"),
  deposit: { amount: 400_000, currency: "GBP", due: inLondon("2099-09-01", "17:00") },
  startDate: "2099-09-20",
};

/** Sends an offer's letter as a page does. */
export const uploadLetter = (
  { caller }: Pick<Person, "caller">,
  applicationId: string,
  body: Uint8Array<ArrayBuffer> = new Uint8Array(pdf()),
): Promise<Response> =>
  caller.request(`/files/offer-letters/${applicationId}`, {
    method: "POST",
    headers: uploadHeaders("Offer letter.pdf"),
    body,
  });

type OfferAnswer = { mover: string; state: string; version: number; offer: Offer | null };

export async function offerFor({ caller }: Person, applicationId: string): Promise<OfferAnswer> {
  const { body } = await caller.call("offers.ofApplication", { applicationId });
  return body as OfferAnswer;
}

/** Creates an application that has been sent to the university, from where an offer can come. */
export async function applicationAtUniversity(w: Wayfare) {
  const of = await submittedApplication(w);
  await of.move(of.agent, "inReview");
  await confirmList(w, of.student, of.agent, of.id);
  await of.move(of.agent, "sentToUniversity");
  const version = async () => (await of.current())?.version ?? 0;
  /** Enters or changes the offer, in its current version for this person. */
  const save = async ({ caller }: Person, changes: object = {}, beside: object = {}) =>
    await caller.call("offers.save", {
      applicationId: of.id,
      version: await version(),
      offer: { ...offerForm, ...changes },
      ...beside,
    });
  const current = () => offerFor(of.student, of.id);
  /** Returns the id of the condition in this place. */
  const condition = async (place: number) => (await current()).offer?.conditions[place]?.id ?? "";
  return { ...of, version, save, seen: current, condition };
}

/** Creates an application with a conditional offer that has three conditions. */
export async function conditionalOffer(w: Wayfare, changes: object = {}) {
  const of = await applicationAtUniversity(w);
  await of.save(of.agent, changes, { to: "conditionalOffer" });
  return of;
}

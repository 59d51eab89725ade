import { useMutation, useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import type { Offer } from "#contract/offers.ts";
import { strictnessWords } from "#domain/deadline.ts";
import { isDepositState } from "#domain/deposit.ts";
import { friendlyError } from "#domain/friendly-error.ts";
import { areAllSettled, offerRankLabels, offerRanks, offerStates } from "#domain/offer.ts";
import { announce } from "../../lib/announce.ts";
import { formatDate } from "../../lib/format-date.ts";
import { api, rpc } from "../../lib/rpc.ts";
import { uploadFile } from "../../lib/upload-queue.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { ChooseFile } from "../../ui/file-upload.tsx";
import { Select } from "../../ui/form/fields.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Retry } from "../../ui/retry.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useOpenFile } from "../student-documents/use-open-document.ts";
import { Conditions } from "./conditions.tsx";
import { DeadlineText, ReplyBy } from "./deadline-text.tsx";
import { DepositFact } from "./deposit.tsx";
import { OfferDialog } from "./offer-form.tsx";
import classes from "./offer-section.module.css";
import { refetchOffers } from "./refetch-offers.ts";

type OfferAnswer = Awaited<ReturnType<typeof rpc.offers.ofApplication>>;

/**
 * The offer of an application, for its student, the assigned agent and admins. Shows nothing to others, and nothing
 * before there is an offer.
 */
export function OfferSection({ applicationId, level = 4 }: { applicationId: string; level?: 3 | 4 }) {
  const { data, error, refetch } = useQuery(
    api.offers.ofApplication.queryOptions({ input: { applicationId } }),
  );
  if (error && friendlyError(error).code === "not-found") return null;
  if (!data && error)
    return <Retry error={error} onRetry={() => void refetch()} heading={level === 3 ? "h3" : "h4"} />;
  if (!data) return <Skeleton h={120} label="Loading the offer" />;
  const isOpen = offerStates.some((state) => state === data.state);
  if (!isOpen && !data.offer) return null;
  return <LoadedOffer applicationId={applicationId} answer={data} isOpen={isOpen} level={level} />;
}

/** `level` is the level of the heading. */
type LoadedProps = { applicationId: string; answer: OfferAnswer; isOpen: boolean; level: 3 | 4 };

function LoadedOffer({ applicationId, answer, isOpen, level }: LoadedProps) {
  const Title = level === 3 ? "h3" : "h4";
  const { mover, offer } = answer;
  const titleId = useId();
  const isStudents = mover === "student";
  return (
    <section aria-labelledby={titleId} className={classes.offer}>
      <Title id={titleId} className={classes.title}>
        {isStudents ? "Your offer" : "Offer"}
      </Title>
      {offer && isOpen && <NextStep answer={answer} offer={offer} />}
      {offer ? (
        <>
          <Facts applicationId={applicationId} answer={answer} offer={offer} isOpen={isOpen} />
          <Conditions conditions={offer.conditions} mover={isOpen ? mover : null} />
        </>
      ) : (
        <p className={classes.words}>
          {isStudents
            ? "Your agent hasn't entered the offer's details yet."
            : "The offer's conditions and deadlines aren't entered yet."}
        </p>
      )}
      {isOpen && isStudents && offer && <Rank applicationId={applicationId} rank={offer.rank} />}
      {isOpen && !isStudents && <StaffActions applicationId={applicationId} answer={answer} />}
    </section>
  );
}

/** Says what the offer waits for. */
function NextStep({
  answer: { mover, state },
  offer: { conditions },
}: {
  answer: OfferAnswer;
  offer: Offer;
}) {
  const isStudents = mover === "student";
  const open = conditions.filter((each) => each.state === "open").length;
  const claimed = conditions.filter((each) => each.state === "claimed").length;
  const of = (number: number) =>
    `${number} of ${conditions.length} ${conditions.length === 1 ? "condition" : "conditions"}`;
  if (state === "unconditionalOffer")
    return (
      <p className={classes.words}>
        {isStudents
          ? "It's unconditional: accept or decline it below."
          : "It's for the student to accept or decline it."}
      </p>
    );
  if (areAllSettled(conditions.map((each) => each.state)))
    return (
      <Notice kind="success">
        {isStudents
          ? "All conditions are met. Next, your agent gets the unconditional offer from the university."
          : "All conditions are met. The next step is possible: Unconditional offer."}
      </Notice>
    );
  if (!isStudents && claimed > 0)
    return (
      <Notice>{`The student says ${of(claimed)} ${claimed === 1 ? "is" : "are"} met. Please check.`}</Notice>
    );
  if (open > 0)
    return (
      <p className={classes.words}>
        {isStudents
          ? `${of(open)} still to meet. Once you've met one, let us know here.`
          : `${of(open)} still open.`}
      </p>
    );
  return isStudents && claimed > 0 ? <p className={classes.words}>We're checking what you've met.</p> : null;
}

type FactsProps = Omit<LoadedProps, "level"> & { offer: Offer };

function Facts({ applicationId, answer: { mover, state }, offer, isOpen }: FactsProps) {
  const { replyBy, deposit, startDate, letter } = offer;
  const marker = mover !== "student" && isDepositState(state) ? mover : null;
  return (
    <dl className={classes.facts}>
      {replyBy && (
        <div>
          <dt>Reply</dt>
          <dd>
            {isOpen ? <ReplyBy due={replyBy} /> : <DeadlineText due={replyBy} />}
            {isOpen && <span className={classes.aside}>{strictnessWords(replyBy.hard)}</span>}
          </dd>
        </div>
      )}
      {deposit && (
        <div>
          <dt>Deposit</dt>
          <dd>
            <DepositFact applicationId={applicationId} deposit={deposit} marker={marker} />
          </dd>
        </div>
      )}
      {startDate && (
        <div>
          <dt>Course starts</dt>
          <dd>{formatDate(new Date(`${startDate}T00:00`))}</dd>
        </div>
      )}
      {letter && (
        <div>
          <dt>Letter</dt>
          <dd>
            <OpenLetter applicationId={applicationId} name={letter.name} />
          </dd>
        </div>
      )}
    </dl>
  );
}

function OpenLetter({ applicationId, name }: { applicationId: string; name: string }) {
  const opening = useOpenFile((id, mode) => rpc.offers.letterLink({ applicationId: id, mode }));
  return (
    <span className={classes.letter}>
      <span>{name}</span>
      <Button
        size="compact-sm"
        variant="default"
        aria-label="Open offer letter"
        onClick={() => opening.open(applicationId, "view")}
      >
        Open
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        aria-label="Download offer letter"
        onClick={() => opening.open(applicationId, "download")}
      >
        Download
      </Button>
      <ErrorModal title="Letter Error" error={opening.failure} onClose={opening.clearFailure} />
    </span>
  );
}

/** The student's own order of their offers. */
function Rank({ applicationId, rank }: { applicationId: string; rank: Offer["rank"] }) {
  const id = useId();
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: (choice: Offer["rank"]) => rpc.offers.rank({ applicationId, rank: choice }),
    onSettled: refetchOffers,
  });
  return (
    <div className={classes.rank}>
      <label htmlFor={id}>Your ranking</label>
      <Select
        id={id}
        value={rank ?? ""}
        disabled={isPending}
        data={[
          { value: "", label: "Not ranked" },
          ...offerRanks.map((each) => ({ value: each, label: offerRankLabels[each] })),
        ]}
        onChange={({ currentTarget: { value } }) => mutate(offerRanks.find((each) => each === value) ?? null)}
      />
      <ErrorModal title="Offer Error" error={error} onClose={reset} />
    </div>
  );
}

const accepted = ".pdf,.jpg,.jpeg,.png";

/** The buttons to enter or change the offer and its letter. */
function StaffActions({ applicationId, answer }: { applicationId: string; answer: OfferAnswer }) {
  const [snapshot, setSnapshot] = useState<OfferAnswer | null>(null);
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: (file: File) => uploadFile(`/files/offer-letters/${applicationId}`, file, () => {}),
    onSuccess: () => announce("Letter saved. The student will be notified."),
    onSettled: refetchOffers,
  });
  const { offer } = answer;
  return (
    <div className={classes.buttons}>
      <Button variant="default" aria-haspopup="dialog" onClick={() => setSnapshot(answer)}>
        {offer ? "Change offer" : "Enter offer details"}
      </Button>
      {offer && (
        <ChooseFile
          label={offer.letter ? "Replace offer letter" : "Add offer letter"}
          accept={accepted}
          disabled={isPending}
          onChoose={([file]) => file && mutate(file)}
        >
          {isPending ? "Uploading..." : offer.letter ? "Replace offer letter" : "Add offer letter"}
        </ChooseFile>
      )}
      <OfferDialog applicationId={applicationId} snapshot={snapshot} onClose={() => setSnapshot(null)} />
      <ErrorModal title="Letter Error" error={error} onClose={reset} />
    </div>
  );
}

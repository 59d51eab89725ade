import { useMutation, useQuery } from "@tanstack/react-query";
import type { ProgrammePage } from "#contract/programmes.ts";
import { outcomeReason } from "#domain/eligibility-words.ts";
import { currentStateLabels } from "#domain/intake.ts";
import { isAdmin, mayManageStudents } from "#domain/permission.ts";
import { listedTuition, programmeLimits } from "#domain/programme.ts";
import { feePeriodWords, feeWords, intakeWords } from "#domain/programme-words.ts";
import { announce } from "../../../lib/announce.ts";
import { useQueryOfAddress } from "../../../lib/hydration.ts";
import { queryClient } from "../../../lib/query-client.ts";
import { api } from "../../../lib/rpc.ts";
import { useIsMember, useViewer } from "../../../lib/viewer.ts";
import { Button, LinkButton } from "../../../ui/button.tsx";
import { Choice } from "../../../ui/choice.tsx";
import { Either } from "../../../ui/either.tsx";
import { ErrorModal } from "../../../ui/error-modal.tsx";
import { loginPath } from "../../auctions/login-path.ts";
import { OutcomeBadge } from "../outcomes.tsx";
import { applyPath, comparePath } from "../paths.ts";
import { slugsIn } from "../slugs.ts";
import classes from "./actions.module.css";
import { useAnswers } from "./answers.ts";
import { aboutWords } from "./fees.tsx";
import type { Start } from "./start.ts";

type ActionsProps = { programme: ProgrammePage; start: Start };

/** Shows a programme's tuition, the outcome of the student's record, and the next steps. */
export function Actions({ programme, start }: ActionsProps) {
  const { slug, removed, fees, rates } = programme;
  const compared = slugsIn(useQueryOfAddress().get("compare"));
  const slugs = [...compared.filter((each) => each !== slug), slug].slice(-programmeLimits.compared);
  const tuition = listedTuition(fees);
  const about = tuition && aboutWords(tuition, rates);
  return (
    <section className={classes.panel} aria-label="Apply and compare">
      <div className={classes.part}>
        {tuition && (
          <p className={classes.tuition}>
            <strong>{feeWords(tuition.amount, tuition.currency)}</strong> {feePeriodWords(tuition)}
            {about && <span className={classes.about}>{about}</span>}
          </p>
        )}
        <OwnOutcome programme={programme} start={start} />
      </div>
      <div className={classes.part}>
        {removed ? (
          <LinkButton primary fullWidth to="/programmes">
            See all programmes
          </LinkButton>
        ) : (
          <Steps programme={programme} start={start} />
        )}
        <LinkButton to={comparePath(slugs, start.month)} fullWidth size="sm">
          {slugs.length > 1
            ? `Compare with ${slugs.length - 1} other${slugs.length === 2 ? "" : "s"}`
            : "Compare"}
        </LinkButton>
      </div>
    </section>
  );
}

/** Shows the outcome of the student's record; its space is reserved for viewers who are probably students. */
function OwnOutcome({ programme, start }: ActionsProps) {
  const { data } = useAnswers(programme.id, start.judgedId);
  return (
    <div className={classes.outcome}>
      {data && (
        <>
          <OutcomeBadge outcome={data.outcome} />
          <p className={classes.reason}>
            {outcomeReason(data.outcome, data.sets) || "Your record has all that one of the ways asks for."}
          </p>
          {data.agreement && (
            <p className={classes.agreement}>
              Your agency is paid by this university if you enrol. The order of programmes does not depend on
              it.
            </p>
          )}
        </>
      )}
    </div>
  );
}

/** Shortlist and Apply for students, the students who fit for staff, and a link to log in for visitors. */
function Steps({ programme, start }: ActionsProps) {
  return (
    <Either
      isMember={useIsMember()}
      member={<MembersSteps programme={programme} start={start} />}
      visitor={
        <LinkButton primary fullWidth to={loginPath(start.path)}>
          Log in to apply or to shortlist it
        </LinkButton>
      }
    />
  );
}

function MembersSteps({ programme, start }: ActionsProps) {
  const viewer = useViewer();
  if (!viewer) return <div className={classes.waiting} />;
  if (viewer.role === "student") return <StudentSteps programme={programme} start={start} />;
  if (!mayManageStudents(viewer)) return null;
  return <StaffSteps programme={programme} start={start} seesAll={isAdmin(viewer)} />;
}

const shortlistQuery = api.shortlist.list.queryOptions({ input: {} });

/** Chooses between the starts of a programme, if there are several. */
function StartChoice({ coming, intakeId, choose }: Start) {
  if (coming.length === 0) return <p className={classes.none}>No start of it is open or announced.</p>;
  if (coming.length === 1) return null;
  return (
    <Choice
      label="Start"
      value={intakeId ?? ""}
      options={coming.map((intake) => ({
        value: intake.id,
        label: `${intakeWords(intake)} (${currentStateLabels[intake.state]})`,
      }))}
      onChoose={choose}
    />
  );
}

/** Leads staff from a programme, or one of its intakes, to the students who fit it. */
function StaffSteps({ programme, start, seesAll }: ActionsProps & { seesAll: boolean }) {
  const query = new URLSearchParams({
    fits: programme.id,
    ...(start.intakeId !== null && { fitsIntake: start.intakeId }),
  });
  return (
    <>
      <StartChoice {...start} />
      <LinkButton primary fullWidth to={`/manage-students?${query}`}>
        {seesAll ? "Which students fit?" : "Which of my students fit?"}
      </LinkButton>
    </>
  );
}

function StudentSteps({ programme: { id: programmeId, slug }, start }: ActionsProps) {
  const { intakeId } = start;
  return (
    <>
      <StartChoice {...start} />
      <LinkButton primary fullWidth to={applyPath(slug, intakeId)}>
        Apply
      </LinkButton>
      <Shortlist programmeId={programmeId} intakeId={intakeId} />
    </>
  );
}

/** Adds the programme to the student's shortlist, or leads there once it is on it. */
function Shortlist({ programmeId, intakeId }: { programmeId: string; intakeId: string | null }) {
  const { data } = useQuery(shortlistQuery);
  const { mutate, isPending, error, reset } = useMutation(
    api.shortlist.add.mutationOptions({
      onSuccess: () => announce("Added to your shortlist."),
      // Refetches after a failure too: it may already be on the list.
      onSettled: () => queryClient.invalidateQueries({ queryKey: api.shortlist.key() }),
    }),
  );
  const isListed = data?.items.some(({ programme }) => programme?.id === programmeId);
  return (
    <>
      {isListed ? (
        <LinkButton to="/shortlist" fullWidth size="sm">
          On your shortlist
        </LinkButton>
      ) : (
        <Button
          variant="default"
          fullWidth
          disabled={isPending || !data}
          onClick={() => mutate({ programmeId, ...(intakeId && { intakeId }) })}
        >
          {isPending ? "Adding..." : "Shortlist"}
        </Button>
      )}
      <ErrorModal title="Shortlist Error" error={error} onClose={reset} />
    </>
  );
}

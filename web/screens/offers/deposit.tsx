import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Offer } from "#contract/offers.ts";
import type { Mover } from "#domain/application-step.ts";
import { moneyText } from "#domain/currency.ts";
import { strictnessWords } from "#domain/deadline.ts";
import { paidOnProblem } from "#domain/deposit.ts";
import { localTime } from "#domain/local-time.ts";
import { enteredByName } from "#domain/on-behalf.ts";
import { announce } from "../../lib/announce.ts";
import { formatDate, ownZone } from "../../lib/format-date.ts";
import { rpc } from "../../lib/rpc.ts";
import { serverNow } from "../../lib/server-clock.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { TextField } from "../../ui/form/fields.tsx";
import { ModalForm } from "../../ui/modal-form.tsx";
import { DeadlineText } from "./deadline-text.tsx";
import classes from "./offer-section.module.css";
import { refetchOffers } from "./refetch-offers.ts";

type Deposit = NonNullable<Offer["deposit"]>;
type DepositProps = {
  applicationId: string;
  deposit: Deposit;
  /** The role in which the viewer marks it as paid; null if they may only read. */
  marker: Exclude<Mover, "student"> | null;
};

/** The deposit of an offer: its amount and deadline, or the day on which it was paid and who marked that. */
export function DepositFact({ applicationId, deposit, marker }: DepositProps) {
  const { due, paid } = deposit;
  return (
    <>
      {moneyText(deposit)}
      {paid ? (
        <span className={classes.aside}>
          <strong>Paid</strong> on {formatDate(new Date(`${paid.on}T00:00`))}, marked by{" "}
          {enteredByName(paid.by)}
        </span>
      ) : (
        due && (
          <>
            {" "}
            by <DeadlineText due={due} />
            <span className={classes.aside}>{strictnessWords(due.hard)}</span>
          </>
        )
      )}
      {marker && <MarkPaid applicationId={applicationId} day={paid?.on ?? null} />}
    </>
  );
}

/** Marks the deposit in the state that the viewer saw. */
async function mark(applicationId: string, day: string | null, paidOn: string | null) {
  try {
    await rpc.offers.markDeposit({ applicationId, seen: day, paidOn });
    announce(`${paidOn === null ? "Mark taken back." : "Deposit paid."} The student will be notified.`);
  } finally {
    await refetchOffers();
  }
}

function MarkPaid({ applicationId, day }: { applicationId: string; day: string | null }) {
  const [isOpen, setOpen] = useState(false);
  const takingBack = useMutation({ mutationFn: () => mark(applicationId, day, null) });
  const close = () => setOpen(false);
  const now = new Date(serverNow());
  return (
    <div className={classes.buttons}>
      {day === null ? (
        <Button size="compact-sm" variant="light" aria-haspopup="dialog" onClick={() => setOpen(true)}>
          Mark deposit as paid
        </Button>
      ) : (
        <Button
          size="compact-sm"
          variant="default"
          disabled={takingBack.isPending}
          onClick={() => takingBack.mutate()}
        >
          Deposit isn't paid
        </Button>
      )}
      <Dialog opened={isOpen} onClose={close} title="Deposit paid">
        <ModalForm
          errorTitle="Deposit Error"
          fields={["paidOn"]}
          check={({ paidOn }) => paidOnProblem(paidOn, now)}
          send={({ paidOn }) => mark(applicationId, day, paidOn)}
          onDone={close}
          onCancel={close}
          action="Mark as paid"
          busyText="Saving..."
        >
          <TextField
            name="paidOn"
            label="Paid on"
            type="date"
            defaultValue={localTime(ownZone(), now).date}
          />
        </ModalForm>
      </Dialog>
      <ErrorModal title="Deposit Error" error={takingBack.error} onClose={takingBack.reset} />
    </div>
  );
}

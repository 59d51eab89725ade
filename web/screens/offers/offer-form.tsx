import { useState } from "react";
import type { Offer } from "#contract/offers.ts";
import { applicationLimits, stateLabels } from "#domain/application.ts";
import { currencies, parseMoney } from "#domain/currency.ts";
import type { DeadlineForm } from "#domain/deadline.ts";
import type { Problem } from "#domain/error-catalogue.ts";
import { checkOffer, conditionKinds, type OfferForm, type OfferState, offerLimits } from "#domain/offer.ts";
import { wrong } from "#domain/problem.ts";
import { announce } from "../../lib/announce.ts";
import { rpc } from "../../lib/rpc.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextAreaField, TextField } from "../../ui/form/fields.tsx";
import { ModalForm } from "../../ui/modal-form.tsx";
import { ConditionFields, DeadlineFields, DepositFields, ownClock, ZoneField } from "./offer-fields.tsx";
import classes from "./offer-section.module.css";
import { refetchOffers } from "./refetch-offers.ts";

/** The offer as of when the form was opened; `version` is the application's. */
export type OfferSnapshot = { version: number; studentZone: string; offer: Offer | null };

type OfferDialogProps = {
  applicationId: string;
  /** Null: the dialog is closed. */
  snapshot: OfferSnapshot | null;
  /** The step that is taken together with the offer. */
  to?: OfferState | undefined;
  onClose: () => void;
  onSaved?: () => void;
};

/** Asks staff for the details of an offer. */
export const OfferDialog = ({ snapshot, ...props }: OfferDialogProps) => (
  <Dialog
    wide
    opened={snapshot !== null}
    onClose={props.onClose}
    title={props.to ? stateLabels[props.to] : snapshot?.offer ? "Change offer" : "Offer details"}
  >
    {snapshot && <Details snapshot={snapshot} {...props} />}
  </Dialog>
);

/** A row of the form. `condition` is null for a new one. */
type Row = { key: string; condition: Offer["conditions"][number] | null };
type Values = Record<string, string>;

const deadlineFields = (name: string) => [`${name}.date`, `${name}.time`, `${name}.hard`];
const rowFields = (place: number) => [
  `conditions.${place}.text`,
  `conditions.${place}.kind`,
  ...deadlineFields(`conditions.${place}.due`),
];
const fixedFields = [
  "zone",
  "note",
  "startDate",
  "deposit.amount",
  "deposit.currency",
  ...deadlineFields("replyBy"),
  ...deadlineFields("deposit.due"),
];

function readDeadline(values: Values, name: string): DeadlineForm | null {
  const date = values[`${name}.date`] ?? "";
  if (date === "") return null;
  const zone = values["zone"] ?? "";
  return {
    date,
    time: values[`${name}.time`] || null,
    zone: zone === ownClock ? "" : zone,
    whose: zone === ownClock ? "applicant" : "institution",
    hard: values[`${name}.hard`] !== "soft",
  };
}

/** Reads the form. A condition that is no longer open stays as it is, and so does a paid deposit. */
function readOffer(values: Values, rows: readonly Row[], offer: Offer | null): OfferForm | Problem {
  const currency = currencies.find((each) => each === values["deposit.currency"]) ?? "GBP";
  const text = values["deposit.amount"] ?? "";
  const amount = text.trim() === "" ? null : parseMoney(text, currency, offerLimits.deposit);
  if (amount?.kind === "problem")
    return wrong("deposit.amount", `Please enter an amount in ${currency}, such as 4000.`);
  const conditions = rows.map(({ condition }, place): OfferForm["conditions"][number] =>
    condition && condition.state !== "open"
      ? { id: condition.id, text: condition.text, kind: condition.kind, due: condition.due }
      : {
          id: condition?.id ?? null,
          text: values[`conditions.${place}.text`] ?? "",
          kind: conditionKinds.find((each) => each === values[`conditions.${place}.kind`]) ?? "other",
          due: readDeadline(values, `conditions.${place}.due`),
        },
  );
  return {
    conditions,
    replyBy: readDeadline(values, "replyBy"),
    deposit: offer?.deposit?.paid
      ? { amount: offer.deposit.amount, currency: offer.deposit.currency, due: offer.deposit.due }
      : amount && { ...amount.money, due: readDeadline(values, "deposit.due") },
    startDate: values["startDate"] || null,
  };
}

let lastKey = 0;
const newRow = (): Row => ({ key: `new ${++lastKey}`, condition: null });

type DetailsProps = Omit<OfferDialogProps, "snapshot"> & { snapshot: OfferSnapshot };

function Details({ applicationId, snapshot, to, onClose, onSaved }: DetailsProps) {
  const { version, studentZone, offer } = snapshot;
  const [rows, setRows] = useState<readonly Row[]>(
    () =>
      offer?.conditions.map((condition) => ({ key: condition.id, condition })) ??
      (to === "unconditionalOffer" ? [] : [newRow()]),
  );
  const check = (values: Values): Problem | null => {
    const form = readOffer(values, rows, offer);
    const outcome = "code" in form ? form : checkOffer(form, studentZone);
    return "code" in outcome ? outcome : null;
  };
  return (
    <ModalForm
      errorTitle="Offer Error"
      fields={[...fixedFields, ...rows.flatMap((_, place) => rowFields(place))]}
      check={check}
      send={async (values: Values) => {
        const form = readOffer(values, rows, offer);
        if ("code" in form) return;
        const conditions = [...form.conditions];
        const note = values["note"] ?? "";
        await rpc.offers.save({ applicationId, version, to, note, offer: { ...form, conditions } });
        announce("Offer saved. The student will be notified.");
        await refetchOffers();
      }}
      onDone={() => {
        onClose();
        onSaved?.();
      }}
      onCancel={onClose}
      action={to ? "Save step and offer" : "Save offer"}
      busyText="Saving..."
    >
      {to && (
        <TextAreaField
          name="note"
          label="Note for the student (optional)"
          optional
          rows={2}
          maxLength={applicationLimits.note}
        />
      )}
      <ZoneField offer={offer} />
      {rows.map(({ key, condition }, place) => (
        <ConditionFields
          key={key}
          place={place}
          condition={condition}
          onRemove={() => setRows(rows.filter((row) => row.key !== key))}
        />
      ))}
      {rows.length < offerLimits.conditions && (
        <div>
          <Button variant="default" onClick={() => setRows([...rows, newRow()])}>
            Add a condition
          </Button>
        </div>
      )}
      <fieldset className={classes.group}>
        <legend className={classes.legend}>Reply by</legend>
        <DeadlineFields name="replyBy" due={offer?.replyBy ?? null} />
      </fieldset>
      <DepositFields deposit={offer?.deposit ?? null} />
      <TextField
        name="startDate"
        label="Course starts (optional)"
        type="date"
        optional
        defaultValue={offer?.startDate ?? ""}
      />
    </ModalForm>
  );
}

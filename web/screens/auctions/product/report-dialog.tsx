import { useState } from "react";
import {
  type ReportSubject,
  reasonsAbout,
  reportLimits,
  reportProblem,
  reportReasonLabels,
  reportReasons,
  reportTexts,
} from "#domain/trade-report.ts";
import { announce } from "../../../lib/announce.ts";
import { draftOf } from "../../../lib/drafts.ts";
import { rpc } from "../../../lib/rpc.ts";
import dialog from "../../../ui/dialog.module.css";
import { Dialog } from "../../../ui/dialog.tsx";
import { SelectField, TextAreaField } from "../../../ui/form/fields.tsx";
import { ModalForm } from "../../../ui/modal-form.tsx";
import type { ReportProps } from "./report.tsx";

const subjectLabels: Record<ReportSubject, string> = {
  product: "The item",
  seller: "The seller",
  buyer: "The buyer",
  question: "The question",
};

type ReportDialogProps = Omit<ReportProps, "label"> & { title: string; onClose: () => void };

const fields = ["subject", "reason", "text"] as const;

/** Asks what is wrong with an item or a person, and sends the report to the admins. */
export default function ReportDialog({ productId, questionId, subjects, title, onClose }: ReportDialogProps) {
  const draftName = `report ${questionId ?? productId}`;
  const subjectOf = (text: string | undefined) => subjects.find((each) => each === text) ?? subjects[0];
  const [subject, setSubject] = useState(() => subjectOf(draftOf<"subject">(draftName).subject));
  const read = (values: Record<(typeof fields)[number], string>) => {
    const about = subjectOf(values.subject);
    const reason = reportReasons.find((each) => each === values.reason) ?? reasonsAbout[about][0] ?? "other";
    return { subject: about, reason, text: values.text };
  };
  return (
    <Dialog opened title={title} onClose={onClose}>
      <p className={dialog.words}>
        Our team looks at it and tells you what came of it. Nobody else learns that you reported.
      </p>
      <ModalForm
        errorTitle="Report Error"
        fields={fields}
        draftName={draftName}
        onEdit={(values) => setSubject(subjectOf(values.subject))}
        check={(values) => reportProblem(read(values))}
        send={async (values) =>
          void (await rpc.tradeReports.send({ productId, questionId, ...read(values) }))
        }
        onDone={() => {
          announce(reportTexts.filed);
          onClose();
        }}
        onCancel={onClose}
        action="Send report"
        busyText="Sending..."
      >
        {subjects.length > 1 && (
          <SelectField
            name="subject"
            label="What is it about?"
            data={subjects.map((each) => ({ value: each, label: subjectLabels[each] }))}
          />
        )}
        <SelectField
          key={subject}
          name="reason"
          label="What is wrong?"
          data={reasonsAbout[subject].map((reason) => ({ value: reason, label: reportReasonLabels[reason] }))}
        />
        <TextAreaField
          name="text"
          label="What should we know?"
          rows={4}
          maxLength={reportLimits.text}
          optional
        />
      </ModalForm>
    </Dialog>
  );
}

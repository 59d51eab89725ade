import { Suspense, useState } from "react";
import type { ReportSubject } from "#domain/trade-report.ts";
import { Button } from "../../../ui/button.tsx";
import { late } from "../../../ui/late.tsx";

/** Lazy-loaded, because reports are rare. */
const ReportDialog = late(() => import("./report-dialog.tsx"));

export type ReportProps = {
  productId: string;
  /** The subjects that can be reported here; the person chooses among several. */
  subjects: readonly [ReportSubject, ...ReportSubject[]];
  /** The question, if that is the subject. */
  questionId?: string;
  label: string;
};

/** A button that reports something to the admins. */
export function Report({ label, describedBy, ...report }: ReportProps & { describedBy?: string }) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button
        variant="subtle"
        size="compact-md"
        aria-describedby={describedBy}
        onClick={() => setOpened(true)}
      >
        {label}
      </Button>
      {opened && (
        <Suspense>
          <ReportDialog {...report} title={label} onClose={() => setOpened(false)} />
        </Suspense>
      )}
    </>
  );
}

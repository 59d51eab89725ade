import { IconChartBar } from "@tabler/icons-react";
import { countsAsUploaded, progressFields } from "#domain/progress.ts";
import { Card } from "../../ui/card.tsx";
import { ProgressBar } from "../../ui/progress-bar.tsx";
import classes from "./student-dashboard.module.css";
import type { Dashboard } from "./use-dashboard.ts";

/** Three bars, each with its number and what it counts. */
export function ProgressCard({
  dashboard: { progress, missingFields, documents },
}: {
  dashboard: Dashboard;
}) {
  const given = progressFields.length - missingFields.length;
  const uploaded = documents.filter(({ state }) => countsAsUploaded(state ?? undefined)).length;
  return (
    <Card title="Progress" icon={<IconChartBar />}>
      <div className={classes.bars}>
        <ProgressBar label="Overall" percentage={progress.overall} />
        <div>
          <ProgressBar label="Profile complete" percentage={progress.profile} />
          <p className={classes.counted}>
            {given} of {progressFields.length} details filled in
          </p>
        </div>
        <div>
          <ProgressBar label="Documents uploaded" percentage={progress.documents} />
          <p className={classes.counted}>
            {uploaded} of {documents.length} documents
          </p>
        </div>
      </div>
    </Card>
  );
}

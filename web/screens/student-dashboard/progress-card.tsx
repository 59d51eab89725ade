import { IconChartBar } from "@tabler/icons-react";
import type { Progress } from "#domain/progress.ts";
import { Card } from "../../ui/card.tsx";
import { ProgressBar } from "../../ui/progress-bar.tsx";
import classes from "./student-dashboard.module.css";

/** Three bars, each with its number (spec 2, 4). */
export function ProgressCard({ progress }: { progress: Progress }) {
  return (
    <Card title="Progress" icon={<IconChartBar />}>
      <div className={classes.bars}>
        <ProgressBar label="Overall" percentage={progress.overall} />
        <ProgressBar label="Profile complete" percentage={progress.profile} />
        <ProgressBar label="Documents uploaded" percentage={progress.documents} />
      </div>
    </Card>
  );
}

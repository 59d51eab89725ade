import { Button } from "../../ui/button.tsx";
import type { NextStep, Opens } from "./next-step.ts";
import classes from "./student-dashboard.module.css";

/** The one thing to do next, before everything else. */
export function NextStepBanner({ step, onOpen }: { step: NextStep; onOpen: (what: Opens) => void }) {
  const { title, text, action } = step;
  return (
    <section className={classes.next} aria-labelledby="next-step">
      <div className={classes.nextWords}>
        <p className={classes.eyebrow}>Your next step</p>
        <h2 id="next-step" className={classes.nextTitle}>
          {title}
        </h2>
        <p className={classes.nextText}>{text}</p>
      </div>
      <Button size="md" variant="accent" aria-haspopup="dialog" onClick={() => onOpen(action.opens)}>
        {action.label}
      </Button>
    </section>
  );
}

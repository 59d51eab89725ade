import { keysOf } from "#domain/keys-of.ts";
import { Button } from "../../ui/button.tsx";
import classes from "./duplicates.module.css";

type ViewSwitchProps<View extends string> = {
  labels: Readonly<Record<View, string>>;
  view: View;
  onChoose: (view: View) => void;
};

/** A row of buttons, one for each part of a list. */
export const ViewSwitch = <View extends string>({ labels, view, onChoose }: ViewSwitchProps<View>) => (
  <fieldset className={classes.views}>
    <legend className="unseen">Show</legend>
    {keysOf(labels).map((each) => (
      <Button
        key={each}
        size="compact-sm"
        variant={each === view ? "filled" : "default"}
        aria-pressed={each === view}
        onClick={() => onChoose(each)}
      >
        {labels[each]}
      </Button>
    ))}
  </fieldset>
);

import { useNavigation } from "react-router";
import classes from "./screen-progress.module.css";

/** A line along the top while a screen is on the way, once that takes long enough to be noticed. */
export function ScreenProgress() {
  const { state } = useNavigation();
  return state === "idle" ? null : (
    <div className={classes.line}>
      <progress aria-label="Loading the page" className={classes.named} />
    </div>
  );
}

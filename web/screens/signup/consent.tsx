import { TextLink } from "../../ui/text-link.tsx";
import classes from "./consent.module.css";

/** What the sign-up button agrees to. */
export function Consent() {
  return (
    <p className={classes.consent}>
      By creating an account you agree to the <TextLink to="/terms">Terms</TextLink> and{" "}
      <TextLink to="/privacy">Privacy</TextLink>.
    </p>
  );
}

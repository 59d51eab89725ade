import { renderSVG } from "uqr";
import { CodeField } from "../../ui/form/fields.tsx";
import classes from "./authenticator-setup.module.css";

type AuthenticatorSetupProps = {
  /** The key as text, and the URI that the QR code encodes. */
  factor: { key: string; uri: string };
};

const size = 176;
const picture = (uri: string) => `data:image/svg+xml,${encodeURIComponent(renderSVG(uri, { border: 2 }))}`;
const inGroups = (key: string) => key.match(/.{1,4}/g)?.join(" ") ?? key;

/** Sets up an authenticator app as the second factor: a QR code, the same key as text, and a first code as proof. */
export default function AuthenticatorSetup({ factor }: AuthenticatorSetupProps) {
  return (
    <>
      <p className={classes.words}>
        Scan this with an authenticator app. From now on you'll need a code from it to log in.
      </p>
      <img src={picture(factor.uri)} width={size} height={size} alt="QR code for an authenticator app" />
      <p className={classes.words}>
        Or enter this key: <code className={classes.key}>{inGroups(factor.key)}</code>
      </p>
      <CodeField description="The six digits the app shows now" />
    </>
  );
}

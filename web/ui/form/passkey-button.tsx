import { Form } from "./form.tsx";
import { SubmitButton } from "./submit-button.tsx";

type PasskeyButtonProps = {
  errorTitle: string;
  /** Asks for the passkey and does what it is asked for. */
  use: () => Promise<void>;
  onDone?: () => void;
  children: string;
};

/** A way on by a passkey, beneath a form that asks for the password. */
export const PasskeyButton = ({ errorTitle, use, children, ...rest }: PasskeyButtonProps) => (
  <Form errorTitle={errorTitle} fields={[]} check={() => null} send={use} {...rest}>
    <SubmitButton variant="default" busyText="Waiting for your passkey...">
      {children}
    </SubmitButton>
  </Form>
);

import { IconEye, IconEyeOff } from "@tabler/icons-react";
import { type ChangeEventHandler, type FocusEventHandler, type ReactNode, type Ref, useState } from "react";
import { IconButton } from "../icon-button.tsx";
import { TextField } from "./text-field.tsx";

type PasswordFieldProps = {
  name: string;
  label: string;
  autoComplete: "current-password" | "new-password";
  description?: ReactNode;
  ref?: Ref<HTMLInputElement>;
  onFocus?: FocusEventHandler<HTMLInputElement>;
  onChange?: ChangeEventHandler<HTMLInputElement>;
};

/** A password, hidden until it is asked to be shown. */
export function PasswordField({ label, ...field }: PasswordFieldProps) {
  const [shown, setShown] = useState(false);
  const Icon = shown ? IconEyeOff : IconEye;
  return (
    <TextField
      {...field}
      label={label}
      type={shown ? "text" : "password"}
      autoCapitalize="none"
      spellCheck={false}
      after={
        <IconButton
          label={`${shown ? "Hide" : "Show"} ${label.toLowerCase()}`}
          onClick={() => setShown(!shown)}
        >
          <Icon size={20} stroke={1.6} aria-hidden />
        </IconButton>
      }
    />
  );
}

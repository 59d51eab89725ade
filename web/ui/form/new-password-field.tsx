import { type ComponentProps, Suspense, useEffect, useRef, useState } from "react";
import { late, Nothing } from "../late.tsx";
import { PasswordField } from "./fields.tsx";
import classes from "./new-password-field.module.css";

const load = () => import("./password-strength.tsx");
/** This is only advice: the form works without it. */
const PasswordStrength = late(load, Nothing);

type NewPasswordFieldProps = Omit<ComponentProps<typeof PasswordField>, "autoComplete"> & {
  /** The account's names and address, if the form doesn't ask for them. */
  ownWords?: readonly string[];
};

const read = ({ value: password, form }: HTMLInputElement) => ({ password, form });

/** A field for a new password, with a rating of its strength. The rating's code loads once the field is used. */
export function NewPasswordField({ ownWords, ...field }: NewPasswordFieldProps) {
  const [entry, setEntry] = useState<ReturnType<typeof read>>();
  const input = useRef<HTMLInputElement>(null);
  // The password may have been typed before hydration.
  useEffect(() => {
    if (input.current) setEntry(read(input.current));
  }, []);
  return (
    <div>
      <PasswordField
        {...field}
        ref={input}
        autoComplete="new-password"
        onFocus={() => void load().catch(() => {})}
        onChange={({ currentTarget }) => setEntry(read(currentTarget))}
      />
      <div aria-live="polite" className={entry?.password ? classes.rating : undefined}>
        {entry?.password && (
          <Suspense>
            <PasswordStrength {...entry} ownWords={ownWords} />
          </Suspense>
        )}
      </div>
    </div>
  );
}

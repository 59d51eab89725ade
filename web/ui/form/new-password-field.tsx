import { type ComponentProps, lazy, Suspense, useEffect, useRef, useState } from "react";
import { whenOnline } from "../../lib/online.ts";
import { PasswordField } from "./fields.tsx";

const load = () => import("./password-strength.tsx");
/** Only advice: should its code not come, the form goes on without. */
const PasswordStrength = lazy(whenOnline(() => load().catch(() => ({ default: () => <></> }))));

type NewPasswordFieldProps = Omit<ComponentProps<typeof PasswordField>, "autoComplete"> & {
  /** Names and address of the account, where the form does not ask for them. */
  ownWords?: readonly string[];
};

const read = ({ value: password, form }: HTMLInputElement) => ({ password, form });

/** A password to be set, with how hard it is to guess. What that takes is loaded once the field is used. */
export function NewPasswordField({ ownWords, ...field }: NewPasswordFieldProps) {
  const [typed, setTyped] = useState<ReturnType<typeof read>>();
  const input = useRef<HTMLInputElement>(null);
  // It may have been typed before React was ready.
  useEffect(() => {
    if (input.current) setTyped(read(input.current));
  }, []);
  return (
    <div>
      <PasswordField
        {...field}
        ref={input}
        autoComplete="new-password"
        onFocus={() => void load().catch(() => {})}
        onChange={({ currentTarget }) => setTyped(read(currentTarget))}
      />
      <div aria-live="polite">
        {typed?.password && (
          <Suspense>
            <PasswordStrength {...typed} ownWords={ownWords} />
          </Suspense>
        )}
      </div>
    </div>
  );
}

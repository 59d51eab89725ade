import { createContext, type ReactNode, use, useEffect, useMemo, useRef, useState } from "react";
import { useHydrated } from "../../lib/use-hydrated.ts";
import { ErrorModal } from "../error-modal.tsx";
import type { Failure } from "../failure.ts";
import classes from "./form.module.css";
import { type FormPlan, read, useSubmit } from "./use-submit.ts";

type FormState = { busy: boolean; ready: boolean; failure: Failure | null };
const FormContext = createContext<FormState>({ busy: false, ready: false, failure: null });

/** For the parts of a form: whether it is busy, may be sent, and what is wrong with it. */
export const useForm = (): FormState => use(FormContext);

/**
 * A form: disabled while it is sent, its failures in the error modal and beside their field, nothing typed lost.
 * Until React is ready it can't be sent, so a password never ends up in an address.
 */
export function Form<Field extends string>({
  errorTitle,
  children,
  ...plan
}: FormPlan<Field> & { errorTitle: string; children: ReactNode }) {
  const ready = useHydrated();
  const { busy, failure, onSubmit } = useSubmit(plan);
  const [seen, setSeen] = useState<Failure | null>(null);
  const [edited, setEdited] = useState<Failure | null>(null);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (seen) focusOn(form.current, seen);
  }, [seen]);

  const shown = failure === edited ? null : failure;
  const state = useMemo(() => ({ busy, ready, failure: shown }), [busy, ready, shown]);
  return (
    <FormContext value={state}>
      <form
        ref={form}
        method="post"
        noValidate
        onSubmit={onSubmit}
        onInput={(event) => {
          if (isAbout(failure, event.target)) setEdited(failure);
          plan.onEdit?.(read(event.currentTarget, plan.fields));
        }}
      >
        <fieldset className={classes.fieldset} disabled={busy}>
          {children}
        </fieldset>
      </form>
      <ErrorModal
        title={errorTitle}
        error={failure === seen ? null : failure}
        onClose={() => setSeen(failure)}
      />
    </FormContext>
  );
}

/** The message beside a field goes once the field is edited. */
const isAbout = (failure: Failure | null, target: EventTarget): boolean =>
  failure !== null &&
  (target instanceof HTMLInputElement ||
    target instanceof HTMLSelectElement ||
    target instanceof HTMLTextAreaElement) &&
  target.name === failure.field;

/** Back to the field that is wrong, or else to the button that was pressed. */
function focusOn(form: HTMLFormElement | null, failure: Failure | null) {
  const found = failure?.field ? form?.elements.namedItem(failure.field) : null;
  const field = found instanceof RadioNodeList ? found.item(0) : found;
  const target = field instanceof HTMLElement ? field : form?.querySelector("[type=submit]");
  if (target instanceof HTMLElement) target.focus();
}

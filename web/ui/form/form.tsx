import {
  type ComponentProps,
  createContext,
  type ReactNode,
  use,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { type Draft, draftOf, dropDraft, keepDraft } from "../../lib/drafts.ts";
import { useHydrated } from "../../lib/hydration.ts";
import { ErrorModal } from "../error-modal.tsx";
import type { Failure } from "../failure.ts";
import type { FieldProps } from "./field.tsx";
import classes from "./form.module.css";
import { type FormPlan, isSecret, read, useSubmit } from "./use-submit.ts";

/** `draft`: what was typed into the form before and never sent, by field. */
type FormState = { busy: boolean; ready: boolean; failure: Failure | null; draft: Draft<string> };
const FormContext = createContext<FormState>({ busy: false, ready: false, failure: null, draft: {} });

/** For the parts of a form: whether it is busy, may be sent, and what is wrong with it. */
export const useForm = (): FormState => use(FormContext);

type Named = FieldProps & { name: string; defaultValue?: ComponentProps<"input">["defaultValue"] };

/**
 * A field's props, divided into those of what stands around its input and those of the input, with what the form
 * adds: what is wrong, and what was typed before in place of what the field holds at first.
 */
export function useField<Props extends Named>(props: Props) {
  const { failure, draft } = useForm();
  const { label, description, descriptionBelow, error, withAsterisk, ...input } = props;
  const wrong = failure?.field === props.name && failure.message;
  const first = draft[props.name] ?? props.defaultValue;
  return {
    around: { label, description, descriptionBelow, withAsterisk, error: error ?? wrong },
    input: { ...input, ...(first !== undefined && { defaultValue: first }) },
  };
}

type FormProps<Field extends string> = FormPlan<Field> & {
  errorTitle: string;
  /** A name under which what is typed is kept until it is sent, however the form is left; passwords never are. */
  draftName?: string;
  children: ReactNode;
};

/**
 * A form: disabled while it is sent, its failures in the error modal and beside their field, nothing typed lost.
 * Until React is ready it can't be sent, so a password never ends up in an address.
 */
export function Form<Field extends string>({ errorTitle, draftName, children, ...plan }: FormProps<Field>) {
  const ready = useHydrated();
  const { busy, failure, onSubmit } = useSubmit({
    ...plan,
    async send(values) {
      if ((await plan.send(values)) === false) return;
      if (draftName) dropDraft(draftName);
      plan.onDone?.();
    },
  });
  const [seen, setSeen] = useState<Failure | null>(null);
  const [edited, setEdited] = useState<Failure | null>(null);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (seen) focusOn(form.current, seen);
  }, [seen]);

  const shown = failure === edited ? null : failure;
  const draft = useMemo(() => (draftName ? draftOf(draftName) : {}), [draftName]);
  const state = useMemo(() => ({ busy, ready, failure: shown, draft }), [busy, ready, shown, draft]);
  return (
    <FormContext value={state}>
      <form
        ref={form}
        method="post"
        noValidate
        onSubmit={onSubmit}
        onInput={(event) => {
          if (isAbout(failure, event.target)) setEdited(failure);
          const form = event.currentTarget;
          const typed = read(form, plan.fields);
          plan.onEdit?.(typed);
          const open = plan.fields.filter((field) => !isSecret(form, field));
          if (draftName) keepDraft(draftName, typed, {}, open);
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

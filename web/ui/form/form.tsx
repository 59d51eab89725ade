import {
  type ComponentProps,
  createContext,
  type ReactNode,
  type SubmitEvent,
  use,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import type { Problem } from "#domain/error-catalogue.ts";
import { type FriendlyError, friendlyError } from "#domain/friendly-error.ts";
import { type Draft, draftOf, dropDraft, keepDraft } from "../../lib/drafts.ts";
import { type FocusPath, focusPath, passFocusOn, restoreFocus } from "../../lib/focus.ts";
import { useHydrated } from "../../lib/hydration.ts";
import { type ButtonVariants, buttonProps } from "../button.tsx";
import { ErrorModal } from "../error-modal.tsx";
import type { FieldProps } from "./fields.tsx";
import classes from "./form.module.css";

/** An error's message for the person; `field` is the input that it is about. */
export type Failure = FriendlyError & { field: string | null };

function fieldOf(error: unknown): string | null {
  const { field, data }: { field?: unknown; data?: unknown } = Object(error);
  // A check of ours names the field itself; the server's error carries it in its data.
  return typeof field === "string" ? field : data ? fieldOf(data) : null;
}

export const failureOf = (error: unknown): Failure => ({ ...friendlyError(error), field: fieldOf(error) });

/** `draft` has the unsent texts of the form, by field. */
type FormState = { busy: boolean; ready: boolean; failure: Failure | null; draft: Draft<string> };
const FormContext = createContext<FormState>({ busy: false, ready: false, failure: null, draft: {} });

/** Returns the state of the form around a part: whether it is busy, can be sent, and its failure. */
export const useForm = (): FormState => use(FormContext);

type NamedFieldProps = FieldProps & { name: string } & Pick<
    ComponentProps<"input">,
    "value" | "defaultValue"
  >;

/**
 * Splits a field's props into those of the parts around its input and those of the input, and adds the form's: the
 * error, and the draft instead of the default value, unless the caller controls the value.
 */
export function useField<Props extends NamedFieldProps>(props: Props) {
  const { failure, draft } = useForm();
  const { label, description, descriptionBelow, error, withAsterisk, ...input } = props;
  const wrong = failure?.field === props.name && failure.message;
  const first = props.value === undefined ? (draft[props.name] ?? props.defaultValue) : undefined;
  return {
    around: { label, description, descriptionBelow, withAsterisk, error: error ?? wrong },
    input: { ...input, ...(first !== undefined && { defaultValue: first }) },
  };
}

type Values<Field extends string> = Record<Field, string>;

type FormBehaviour<Field extends string> = {
  fields: readonly Field[];
  /** Checks the form without the server; null if it is valid. */
  check: (values: Values<Field>) => Problem | null;
  /** Returns whether the caller asks the person first; `goOn` then sends the form. */
  ask?: (values: Values<Field>, goOn: () => void) => boolean;
  /** Sends the form. Errors are shown in the error modal; false means that it is not done yet. */
  send: (values: Values<Field>) => Promise<boolean | void>;
  /** Called when it is done and its draft is gone: the form may start over. */
  onDone?: () => void;
  /** Called at every change, with all current texts. */
  onEdit?: (values: Values<Field>) => void;
};

/** The value of a half-typed date: the input has no value, but isn't empty either. No check accepts it. */
const unreadable = "?";
const isUnreadable = (field: unknown) => field instanceof HTMLInputElement && field.validity.badInput;

/** Reads the form when it is submitted, so that texts typed or autofilled before hydration count too. */
function read<Field extends string>(form: HTMLFormElement, fields: readonly Field[]) {
  const data = new FormData(form);
  const texts = fields.map((field) => {
    const value = data.get(field);
    const text = typeof value === "string" ? value : "";
    return [field, isUnreadable(form.elements.namedItem(field)) ? unreadable : text];
  });
  return Object.fromEntries(texts) as Values<Field>;
}

/** Whether a field is a password, shown or hidden, or a one-time code. */
export function isSecret(form: HTMLFormElement, field: string): boolean {
  const input = form.elements.namedItem(field);
  return input instanceof HTMLInputElement && /password|one-time-code/.test(input.autocomplete);
}

/** Allows one submit at a time: a second one while the first is pending sends nothing. */
function useSubmit<Field extends string>({ fields, check, ask, send }: FormBehaviour<Field>) {
  /** The path to the focus when the form was sent; null: it is not busy. */
  const [sentFrom, setSentFrom] = useState<FocusPath | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const pending = useRef(false);

  // A form that is busy is disabled, which takes the focus from its elements.
  useEffect(() => (sentFrom ? () => restoreFocus(sentFrom) : undefined), [sentFrom]);

  async function submit(values: Values<Field>) {
    pending.current = true;
    setSentFrom(focusPath());
    setFailure(null);
    try {
      await send(values);
    } catch (error) {
      setFailure(failureOf(error));
    } finally {
      pending.current = false;
      setSentFrom(null);
    }
  }

  function onSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (pending.current) return;
    const values = read(event.currentTarget, fields);
    const problem = check(values);
    if (problem) setFailure(failureOf(problem));
    else if (!ask?.(values, () => void submit(values))) void submit(values);
  }

  return { busy: sentFrom !== null, failure, onSubmit };
}

type FormProps<Field extends string> = FormBehaviour<Field> & {
  errorTitle: string;
  /** The name under which texts are kept until they are sent, even if the form is left; passwords never are. */
  draftName?: string;
  children: ReactNode;
};

/**
 * A form: disabled while it is sent, with its failures in the error modal and beside their field, and its texts kept.
 * It can't be sent before hydration, so a password never ends up in an address.
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
  const [closedFailure, setClosedFailure] = useState<Failure | null>(null);
  const [edited, setEdited] = useState<Failure | null>(null);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (closedFailure) focusOn(form.current, closedFailure);
  }, [closedFailure]);

  const currentFailure = failure === edited ? null : failure;
  const draft = useMemo(() => (draftName ? draftOf(draftName) : {}), [draftName]);
  const state = useMemo(
    () => ({ busy, ready, failure: currentFailure, draft }),
    [busy, ready, currentFailure, draft],
  );
  return (
    <FormContext value={state}>
      <form
        ref={form}
        method="post"
        noValidate
        onSubmit={onSubmit}
        onInput={({ target, currentTarget: form }) => {
          // Editing a field removes the message beside it.
          const field = target instanceof HTMLElement ? target.getAttribute("name") : null;
          if (failure?.field === field) setEdited(failure);
          const values = read(form, plan.fields);
          plan.onEdit?.(values);
          const open = plan.fields.filter((field) => !isSecret(form, field));
          if (draftName) keepDraft(draftName, values, {}, open);
        }}
      >
        <fieldset className={classes.fieldset} disabled={busy}>
          {children}
        </fieldset>
      </form>
      <ErrorModal
        title={errorTitle}
        error={failure === closedFailure ? null : failure}
        onClose={() => setClosedFailure(failure)}
      />
    </FormContext>
  );
}

/** Focuses the invalid field, or else the submit button, which comes after all fields. */
const focusOn = (form: HTMLFormElement | null, { field }: Failure) =>
  form?.querySelector<HTMLElement>(`[name="${CSS.escape(field ?? "")}"], [type=submit]`)?.focus();

type SubmitButtonProps = Pick<ButtonVariants, "variant" | "fullWidth"> & {
  busyText: string;
  children: ReactNode;
};

/** The button that sends the form; its text changes while the form is busy. */
export function SubmitButton({ busyText, children, ...variants }: SubmitButtonProps) {
  const { busy, ready } = useForm();
  return (
    <button
      ref={passFocusOn}
      type="submit"
      {...buttonProps({ size: "md", ...variants, children: busy ? busyText : children })}
      disabled={!ready || busy}
      data-waiting={!ready || undefined}
    />
  );
}

type PasskeyButtonProps = {
  errorTitle: string;
  /** Asks for the passkey and uses it. */
  use: () => Promise<void>;
  onDone?: () => void;
  children: string;
};

/** A form with a passkey button alone, below one that asks for the password. */
export const PasskeyButton = ({ errorTitle, use, children, ...rest }: PasskeyButtonProps) => (
  <Form errorTitle={errorTitle} fields={[]} check={() => null} send={use} {...rest}>
    <SubmitButton variant="default" busyText="Waiting for your passkey...">
      {children}
    </SubmitButton>
  </Form>
);

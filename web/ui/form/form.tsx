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
import { useHydrated } from "../../lib/hydration.ts";
import { Button, type ButtonVariants } from "../button.tsx";
import { ErrorModal } from "../error-modal.tsx";
import type { FieldProps } from "./fields.tsx";
import classes from "./form.module.css";

/** What went wrong, in words for the person; `field` is the input that it is about. */
export type Failure = FriendlyError & { field: string | null };

function fieldOf(error: unknown): string | null {
  const { field, data }: { field?: unknown; data?: unknown } = Object(error);
  // A check of ours names the field itself; the server's error carries it in its data.
  return typeof field === "string" ? field : data ? fieldOf(data) : null;
}

export const failureOf = (error: unknown): Failure => ({ ...friendlyError(error), field: fieldOf(error) });

/** `draft`: what was typed into the form before and never sent, by field. */
type FormState = { busy: boolean; ready: boolean; failure: Failure | null; draft: Draft<string> };
const FormContext = createContext<FormState>({ busy: false, ready: false, failure: null, draft: {} });

/** For the parts of a form: whether it is busy, may be sent, and what is wrong with it. */
export const useForm = (): FormState => use(FormContext);

type Named = FieldProps & { name: string } & Pick<ComponentProps<"input">, "value" | "defaultValue">;

/**
 * A field's props, divided into those of what stands around its input and those of the input, with what the form
 * adds: what is wrong, and what was typed before in place of what the field holds at first; not where the caller holds
 * its value.
 */
export function useField<Props extends Named>(props: Props) {
  const { failure, draft } = useForm();
  const { label, description, descriptionBelow, error, withAsterisk, ...input } = props;
  const wrong = failure?.field === props.name && failure.message;
  const first = props.value === undefined ? (draft[props.name] ?? props.defaultValue) : undefined;
  return {
    around: { label, description, descriptionBelow, withAsterisk, error: error ?? wrong },
    input: { ...input, ...(first !== undefined && { defaultValue: first }) },
  };
}

/** The texts of a form by the names of its fields. */
type Values<Field extends string> = Record<Field, string>;

type FormPlan<Field extends string> = {
  fields: readonly Field[];
  /** What the form can see by itself; null when all is well. */
  check: (values: Values<Field>) => Problem | null;
  /** Whether the person is asked first, which is the caller's to do; `goOn` then sends it. */
  ask?: (values: Values<Field>, goOn: () => void) => boolean;
  /** Sends it. What it throws is shown in the error modal; false means that it is not done yet. */
  send: (values: Values<Field>) => Promise<boolean | void>;
  /** When it is done and nothing is kept of it any more: the form may begin anew. */
  onDone?: () => void;
  /** Called at every change with all that is typed by then. */
  onEdit?: (values: Values<Field>) => void;
};

/** What a date that is only half typed counts as: it has no value, but is not empty either. No check accepts it. */
const unreadable = "?";
const isUnreadable = (field: unknown) => field instanceof HTMLInputElement && field.validity.badInput;

/** Read when submitted, so that what was typed or filled in before React was ready counts too. */
function read<Field extends string>(form: HTMLFormElement, fields: readonly Field[]) {
  const data = new FormData(form);
  const texts = fields.map((field) => {
    const value = data.get(field);
    const text = typeof value === "string" ? value : "";
    return [field, isUnreadable(form.elements.namedItem(field)) ? unreadable : text];
  });
  return Object.fromEntries(texts) as Values<Field>;
}

/** A password, shown or hidden, or a one-time code. */
export function isSecret(form: HTMLFormElement, field: string): boolean {
  const input = form.elements.namedItem(field);
  return input instanceof HTMLInputElement && /password|one-time-code/.test(input.autocomplete);
}

/** One submit at a time: a second one while the first is pending sends nothing. */
function useSubmit<Field extends string>({ fields, check, ask, send }: FormPlan<Field>) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const pending = useRef(false);

  async function submit(values: Values<Field>) {
    pending.current = true;
    setBusy(true);
    setFailure(null);
    try {
      await send(values);
    } catch (error) {
      setFailure(failureOf(error));
    } finally {
      pending.current = false;
      setBusy(false);
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

  return { busy, failure, onSubmit };
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
        onInput={({ target, currentTarget: form }) => {
          // The message beside a field goes once the field is edited.
          const field = target instanceof HTMLElement ? target.getAttribute("name") : null;
          if (failure?.field === field) setEdited(failure);
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

/** Back to the field that is wrong, or else to the button that was pressed, which comes after all fields. */
const focusOn = (form: HTMLFormElement | null, { field }: Failure) =>
  form?.querySelector<HTMLElement>(`[name="${CSS.escape(field ?? "")}"], [type=submit]`)?.focus();

type SubmitButtonProps = Pick<ButtonVariants, "variant" | "fullWidth"> & {
  busyText: string;
  children: ReactNode;
};

/** Sends the form; says so while it is busy. */
export function SubmitButton({ busyText, children, ...look }: SubmitButtonProps) {
  const { busy, ready } = useForm();
  return (
    <Button type="submit" size="md" {...look} disabled={!ready || busy} data-waiting={!ready || undefined}>
      {busy ? busyText : children}
    </Button>
  );
}

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

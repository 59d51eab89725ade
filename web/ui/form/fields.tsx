import { IconEye, IconEyeOff, IconSelector } from "@tabler/icons-react";
import { type ComponentProps, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { configuration } from "../../lib/configuration.ts";
import { Button, IconButton } from "../button.tsx";
import { TextLink } from "../text-link.tsx";
import classes from "./field.module.css";
import { useField } from "./form.tsx";

type InputProps = ComponentProps<"input"> & {
  /** Content inside, before the text: an icon or a letter. */
  before?: ReactNode;
  /** Content inside, at the end: a button. */
  after?: ReactNode;
};

/** A single-line input, named by the `Field` around it or its own `aria-label`. */
export const Input = ({ before, after, ...input }: InputProps) => (
  <div className={classes.control}>
    {before && <div className={classes.before}>{before}</div>}
    <input className={classes.input} {...input} />
    {after && <div className={classes.after}>{after}</div>}
  </div>
);

type SelectProps = ComponentProps<"select"> & {
  data: readonly (string | { value: string; label: string })[];
};

/** A native select. */
export const Select = ({ data, ...select }: SelectProps) => (
  <div className={classes.control}>
    <select className={classes.input} {...select}>
      {data
        .map((each) => (typeof each === "string" ? { value: each, label: each } : each))
        .map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
    </select>
    <div className={classes.arrow}>
      <IconSelector size={20} stroke={1.6} aria-hidden />
    </div>
  </div>
);

export type FieldProps = {
  label: string;
  description?: ReactNode;
  /** Puts the description below the input, so that the fields of a pair are aligned. */
  descriptionBelow?: boolean | undefined;
  /** Marks it as required, in a form that has fields of both kinds. */
  withAsterisk?: boolean | undefined;
  /** The error to show instead of the form's. */
  error?: ReactNode;
};

type AroundProps = FieldProps & { children: (control: Control) => ReactNode };
type Control = { id: string; "aria-describedby": string | undefined; "aria-invalid": true | undefined };

/** A control with its label, description and error. */
export function Field({ label, description, descriptionBelow, error, withAsterisk, children }: AroundProps) {
  const id = useId();
  const [descriptionId, errorId] = [`${id}-description`, `${id}-error`];
  const hint = description && (
    <div id={descriptionId} className={classes.description}>
      {description}
    </div>
  );
  return (
    <div>
      <label htmlFor={id} className={classes.label}>
        {label}
        {withAsterisk && (
          <span aria-hidden className={classes.asterisk}>
            {" *"}
          </span>
        )}
      </label>
      {!descriptionBelow && hint}
      {children({
        id,
        "aria-describedby": [error && errorId, hint && descriptionId].filter(Boolean).join(" ") || undefined,
        "aria-invalid": error ? true : undefined,
      })}
      {descriptionBelow && hint}
      {error && (
        <p id={errorId} className={classes.error}>
          {error}
        </p>
      )}
    </div>
  );
}

type TextFieldProps = InputProps & FieldProps & { name: string; optional?: boolean };

/** A single-line field with its error beside it; it says so when no more characters fit. */
export function TextField({ optional = false, ...props }: TextFieldProps) {
  const { around, input } = useField(props);
  const [full, setFull] = useState(false);
  return (
    <Field {...around} description={around.description ?? (full && `At most ${input.maxLength} characters`)}>
      {(control) => (
        <Input
          onInput={({ currentTarget: { value } }) => setFull(value.length === input.maxLength)}
          required={!optional}
          {...control}
          {...input}
        />
      )}
    </Field>
  );
}

/** `maxLength` is the maximum number of characters, which the field states, because the browser stops silently. */
type TextAreaFieldProps = ComponentProps<"textarea"> &
  FieldProps & { name: string; maxLength: number; optional?: boolean };

/** A multi-line field with its error beside it. */
export function TextAreaField({ optional = false, ...props }: TextAreaFieldProps) {
  const { around, input } = useField(props);
  const { description = `At most ${input.maxLength.toLocaleString("en")} characters` } = around;
  return (
    <Field {...around} description={description}>
      {(control) => (
        <div className={classes.control}>
          <textarea className={classes.input} rows={3} required={!optional} {...control} {...input} />
        </div>
      )}
    </Field>
  );
}

/** A native select with its error beside it. */
export function SelectField(props: SelectProps & FieldProps & { name: string }) {
  const { around, input } = useField(props);
  return <Field {...around}>{(control) => <Select required {...control} {...input} />}</Field>;
}

type PasswordFieldProps = TextFieldProps & { autoComplete: "current-password" | "new-password" };

/** A password, hidden until the person asks to see it. */
export function PasswordField({ label, ...field }: PasswordFieldProps) {
  const [isShown, setShown] = useState(false);
  const Icon = isShown ? IconEyeOff : IconEye;
  return (
    <TextField
      {...field}
      label={label}
      type={isShown ? "text" : "password"}
      autoCapitalize="none"
      spellCheck={false}
      after={
        <IconButton
          label={`${isShown ? "Hide" : "Show"} ${label.toLowerCase()}`}
          onClick={() => setShown(!isShown)}
        >
          <Icon size={20} stroke={1.6} aria-hidden />
        </IconButton>
      }
    />
  );
}

/** `focused` moves the focus here, because the code was just requested. `orRecovery` also accepts a recovery code. */
type CodeFieldProps = { description: string; focused?: boolean; orRecovery?: boolean };

const kinds = {
  app: {
    label: "Authentication code",
    inputMode: "numeric",
    autoComplete: "one-time-code",
    maxLength: 7,
    other: "Use a recovery code instead",
  },
  recovery: {
    label: "Recovery code",
    inputMode: "text",
    autoComplete: "off",
    maxLength: 40,
    other: "Use a code from your app instead",
  },
} as const;

/** The six digits from an authenticator app, or one of the recovery codes. */
export function CodeField({ description, focused = false, orRecovery = false }: CodeFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const [isRecovery, setRecovery] = useState(false);
  const { other, ...field } = kinds[isRecovery ? "recovery" : "app"];
  useEffect(() => {
    if (focused || isRecovery) input.current?.focus();
  }, [focused, isRecovery]);
  return (
    <div>
      <TextField
        key={field.label}
        ref={input}
        name="code"
        description={isRecovery ? "One of the ten codes you saved. Each works once." : description}
        autoCapitalize="none"
        spellCheck={false}
        {...field}
      />
      {orRecovery && (
        <Button
          variant="subtle"
          size="compact-sm"
          className={classes.other}
          onClick={() => setRecovery(!isRecovery)}
        >
          {other}
        </Button>
      )}
      {orRecovery && (
        <p className={classes.lost}>
          Lost your phone and your codes? Write to{" "}
          <TextLink to={`mailto:${configuration().contactEmail}`}>{configuration().contactEmail}</TextLink>.
        </p>
      )}
    </div>
  );
}

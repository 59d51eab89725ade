import type { ReactNode } from "react";
import { amountTextLimit, formatMoney, parseAmount } from "#domain/money.ts";
import { useEarlyValue } from "../../lib/use-early-value.ts";
import { TextField } from "../../ui/form/fields.tsx";
import classes from "./money-field.module.css";

type MoneyFieldProps = {
  name: string;
  label: string;
  hint: ReactNode;
  value: string;
  onType: (text: string) => void;
  error?: string;
  optional?: boolean;
};

/** Amounts that can't be misread: up to 999 rand without cents. */
const plain = /^\d{1,3}$/;

/** A field for an amount in rand. It says how the amount is understood: "2,200" is R2,200.00. */
export function MoneyField({ hint, onType, ...field }: MoneyFieldProps) {
  const amount = parseAmount(field.value);
  const input = useEarlyValue<HTMLInputElement>(field.value, onType);
  return (
    <TextField
      {...field}
      ref={input}
      descriptionBelow
      description={
        <span className={classes.line}>
          <span>{hint}</span>
          {amount.kind === "amount" && !plain.test(field.value) && (
            <span className={classes.read}>= {formatMoney(amount.cents)}</span>
          )}
        </span>
      }
      before="R"
      inputMode="decimal"
      autoComplete="off"
      maxLength={amountTextLimit}
      onChange={({ currentTarget }) => onType(currentTarget.value)}
    />
  );
}

import { type RefObject, useEffect, useEffectEvent, useRef } from "react";

/**
 * Returns a ref for a field whose value React controls. `onChange` receives a value that was entered before hydration,
 * which React would otherwise overwrite with `value`.
 */
export function useEarlyValue<Field extends HTMLInputElement | HTMLSelectElement>(
  value: string,
  onChange: (early: string) => void,
): RefObject<Field | null> {
  const field = useRef<Field>(null);
  const takeOver = useEffectEvent(() => {
    const early = field.current?.value ?? value;
    if (early !== value) onChange(early);
  });
  useEffect(() => takeOver(), []);
  return field;
}

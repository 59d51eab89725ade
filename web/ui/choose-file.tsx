import { useRef } from "react";
import { Button, type ButtonVariants } from "./button.tsx";

type ChooseFileProps = ButtonVariants & {
  disabled?: boolean;
  /** What the choice is called for people who do not see where it stands. */
  label: string;
  /** Endings of the files that the device offers, as the `accept` of an input. */
  accept: string;
  multiple?: boolean;
  onChoose: (files: File[]) => void;
};

/** A button that opens the device's own choice of files. */
export function ChooseFile({ label, accept, multiple = false, onChoose, ...button }: ChooseFileProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={label}
        accept={accept}
        multiple={multiple}
        onChange={({ currentTarget }) => {
          onChoose([...(currentTarget.files ?? [])]);
          // The same file can be chosen again.
          currentTarget.value = "";
        }}
      />
      <Button variant="default" {...button} aria-label={label} onClick={() => input.current?.click()} />
    </>
  );
}

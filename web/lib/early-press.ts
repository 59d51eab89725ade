import { useEffect } from "react";

declare global {
  interface Window {
    /** Gives the button that was pressed last, and keeps no other from then on. */
    takeEarlyPress?: () => HTMLButtonElement | undefined;
  }
}

/** Runs in the head of every page: a button that is pressed before there is code to answer is remembered. */
export const rememberEarlyPress = `{
let last;
const remember = ({ target }) => { last = (target instanceof Element && target.closest("button")) || last };
addEventListener("click", remember, true);
window.takeEarlyPress = () => { removeEventListener("click", remember, true); return last };
}`;

let pressed: HTMLButtonElement | undefined;

/** Just before React listens itself: what is pressed from then on it answers as soon as it can. */
export function takeEarlyPress(): void {
  pressed = window.takeEarlyPress?.();
}

/** Presses it again once React has taken the page over. Only the last one: who gets no answer presses once more. */
export function useEarlyPress(): void {
  useEffect(() => {
    if (pressed?.isConnected) pressed.click();
    pressed = undefined;
  }, []);
}

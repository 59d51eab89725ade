import { type PointerEvent, useRef } from "react";

type Point = { x: number; y: number };
/** `from` has the initial positions of the fingers, by pointer, and `at` the current ones. */
type Gesture = { from: Map<number, Point>; at: Map<number, Point>; scale: number; fingers: number };

/** Pixels of the shortest swipe. */
const shortestSwipe = 48;
/** The largest scale; 1 fits the window. */
const largest = 6;

/** Returns the direction of a horizontal swipe: 1 to the left, for the next picture, or -1; null for anything else. */
export function swipeOf(from: Point, to: Point): 1 | -1 | null {
  const [across, along] = [to.x - from.x, to.y - from.y];
  if (Math.abs(across) < shortestSwipe || Math.abs(across) < 2 * Math.abs(along)) return null;
  return across < 0 ? 1 : -1;
}

const distance = (points: Iterable<Point>): number => {
  const [one, other] = [...points];
  return one && other ? Math.hypot(one.x - other.x, one.y - other.y) : 0;
};

/** Returns the scale after two fingers have moved; 1 fits the window. */
export function pinched(scale: number, from: Iterable<Point>, at: Iterable<Point>): number {
  const before = distance(from);
  return before === 0 ? scale : Math.min(largest, Math.max(1, (scale * distance(at)) / before));
}

type Handlers = {
  /** The current scale of the picture. */
  scale: number;
  onSwipe: (by: 1 | -1) => void;
  onScale: (scale: number) => void;
};

/**
 * Returns touch handlers for a scrolling element that leaves no gestures to the browser (`touch-action: none`): two
 * fingers scale, one swipes while the picture fits and scrolls a larger one. A mouse has the buttons and scroll bars.
 */
export function useTouchGestures({ scale, onSwipe, onScale }: Handlers) {
  const gesture = useRef<Gesture | null>(null);
  const pointOf = ({ clientX: x, clientY: y }: PointerEvent): Point => ({ x, y });

  function onPointerDown(event: PointerEvent<HTMLElement>) {
    if (event.pointerType === "mouse") return;
    gesture.current ??= { from: new Map(), at: new Map(), scale, fingers: 0 };
    const { from, at } = gesture.current;
    at.set(event.pointerId, pointOf(event));
    // An additional finger restarts the measurement.
    from.clear();
    for (const [id, point] of at) from.set(id, point);
    gesture.current.scale = scale;
    gesture.current.fingers = Math.max(gesture.current.fingers, at.size);
  }

  function onPointerMove(event: PointerEvent<HTMLElement>) {
    const before = gesture.current?.at.get(event.pointerId);
    if (!gesture.current || !before) return;
    const now = pointOf(event);
    const { from, at } = gesture.current;
    at.set(event.pointerId, now);
    if (at.size === 2) onScale(pinched(gesture.current.scale, from.values(), at.values()));
    else if (scale > 1) event.currentTarget.scrollBy(before.x - now.x, before.y - now.y);
  }

  function onPointerUp(event: PointerEvent<HTMLElement>) {
    if (!gesture.current?.at.has(event.pointerId)) return;
    const { from, at, fingers } = gesture.current;
    const start = from.get(event.pointerId);
    const swipe = start && fingers === 1 && scale === 1 ? swipeOf(start, pointOf(event)) : null;
    at.delete(event.pointerId);
    from.delete(event.pointerId);
    if (at.size === 0) gesture.current = null;
    if (swipe !== null) onSwipe(swipe);
  }

  function onPointerCancel(event: PointerEvent<HTMLElement>) {
    gesture.current?.at.delete(event.pointerId);
    if (gesture.current?.at.size === 0) gesture.current = null;
  }

  return { onPointerDown, onPointerMove, onPointerUp, onPointerCancel };
}

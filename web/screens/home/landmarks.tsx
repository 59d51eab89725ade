import classes from "./journey.module.css";

/** What each city is known by, in a few lines: a tower, a hall, a bridge, a clock, a sail. */
export function Landmarks() {
  return (
    <g className={classes.landmark}>
      <path d="M112 246 V 168 M104 246 L 110 200 H 114 L 120 246 Z M102 198 Q 112 188 122 198 L 119 206 H 105 Z" />
      <path d="M168 286 V 262 H 208 V 286 Z M172 262 Q 188 238 204 262 M188 250 V 238 M176 286 V 268 M188 286 V 268 M200 286 V 268 M164 286 H 212" />
      <path d="M306 196 Q 330 168 354 196 M306 196 H 354 M314 196 V 188 M322 196 V 182 M330 196 V 181 M338 196 V 182 M346 196 V 188" />
      <path d="M406 218 V 160 H 422 V 218 Z M404 160 L 414 142 L 424 160 Z M414 171 a 5 5 0 1 0 0.01 0 M406 186 H 422" />
      <path d="M624 436 V 362 C 606 384, 602 412, 604 436 Z M624 378 H 612 M624 398 H 606 M624 418 H 604 M624 362 V 350 M598 436 H 630" />
    </g>
  );
}

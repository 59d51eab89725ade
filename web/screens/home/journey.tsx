import classes from "./journey.module.css";
import { Landmarks } from "./landmarks.tsx";

const cities = [
  { name: "Toronto", x: 112, y: 258, label: [112, 288] },
  { name: "Boston", x: 196, y: 300, label: [204, 330] },
  { name: "Dublin", x: 330, y: 206, label: [318, 236] },
  { name: "London", x: 412, y: 232, label: [436, 262] },
] as const;
const goal = { name: "Dubai", x: 560, y: 436 };

/** Drawn for the home page: the way from city to city, across the sea. */
export function Journey() {
  return (
    <svg viewBox="0 0 660 560" width={660} height={560} className={classes.map} aria-hidden="true">
      <clipPath id="journey-frame">
        <rect width="660" height="560" rx="28" />
      </clipPath>
      <g clipPath="url(#journey-frame)">
        <rect width="660" height="560" className={classes.sea} />
        <Lines />
        <Land />
        <Landmarks />
        <path
          d="M112 258 Q 160 262 196 300 C 250 290, 268 196, 330 206 Q 376 196 412 232 C 500 236, 556 320, 560 430"
          className={classes.way}
        />
        <Plane />
        {cities.map(({ name, x, y, label: [labelX, labelY] }) => (
          <g key={name}>
            <circle cx={x} cy={y} r="6.5" className={classes.stop} />
            <text x={labelX} y={labelY} className={classes.label}>
              {name}
            </text>
          </g>
        ))}
        <Pin />
        <text x={goal.x} y={goal.y + 36} className={classes.label}>
          {goal.name}
        </text>
      </g>
    </svg>
  );
}

/** Parallels and waves. */
function Lines() {
  return (
    <g className={classes.lines}>
      <path d="M0 120 Q 330 70 660 120 M0 250 Q 330 205 660 250 M0 385 Q 330 345 660 385 M0 515 Q 330 480 660 515" />
      <path d="M236 410 q 9 -8 18 0 t 18 0 M262 452 q 9 -8 18 0 t 18 0 M250 110 q 9 -8 18 0 t 18 0 M596 130 q 9 -8 18 0 t 18 0" />
    </g>
  );
}

function Land() {
  return (
    <g className={classes.land}>
      <path d="M-10 60 C 60 36, 150 52, 206 104 C 232 128, 196 150, 216 178 C 240 208, 236 234, 214 262 C 236 292, 226 318, 196 326 C 168 334, 158 366, 166 398 C 150 392, 138 380, 116 388 C 92 398, 84 430, 58 438 C 30 446, 10 470, -10 476 Z" />
      <path d="M304 186 C 312 168, 342 166, 350 186 C 356 206, 344 228, 324 230 C 304 230, 298 206, 304 186 Z" />
      <path d="M398 112 C 412 100, 432 108, 424 128 C 420 140, 436 150, 436 168 C 438 184, 456 196, 454 216 C 452 238, 430 240, 408 242 C 392 246, 370 248, 378 232 C 384 222, 398 222, 394 206 C 390 192, 404 186, 398 170 C 392 156, 380 150, 386 132 C 388 122, 390 118, 398 112 Z" />
      <path d="M670 150 C 610 150, 560 176, 524 204 C 492 224, 466 246, 446 272 C 436 292, 452 308, 476 300 C 502 328, 540 316, 562 330 C 588 340, 584 362, 604 374 C 622 384, 640 376, 670 366 Z" />
      <path d="M356 366 C 400 340, 470 346, 508 372 C 530 390, 526 414, 550 424 C 580 434, 606 418, 632 428 C 650 436, 660 446, 670 452 V 580 H 430 C 436 548, 424 526, 414 508 C 380 506, 352 486, 346 452 C 342 420, 340 388, 356 366 Z" />
    </g>
  );
}

function Plane() {
  return (
    <g transform="translate(261 245) rotate(-51)" className={classes.plane}>
      <path d="M-15 10 L 19 0 L -15 -10 L -9 0 Z" />
    </g>
  );
}

/** The goal, with the cap that one gets there. */
function Pin() {
  return (
    <g transform={`translate(${goal.x} ${goal.y})`}>
      <ellipse cx="0" cy="2" rx="12" ry="4" className={classes.shade} />
      <path
        d="M0 0 C -10 -18, -27 -26, -27 -46 A 27 27 0 0 1 27 -46 C 27 -26, 10 -18, 0 0 Z"
        className={classes.pin}
      />
      <path
        d="M0 -59 L 17 -51 L 0 -43 L -17 -51 Z M-9 -46 V -38 Q 0 -32 9 -38 V -46 M17 -51 V -39"
        className={classes.cap}
      />
    </g>
  );
}

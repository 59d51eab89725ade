import { Navigate } from "react-router";

/** Redirects the footer's /about to /about-us. */
export default function About() {
  return <Navigate replace to="/about-us" />;
}

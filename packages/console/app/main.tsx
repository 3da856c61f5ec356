import "virtual:theme.css";
import "./styles.css";
import { QueryClientProvider } from "@tanstack/preact-query";
import { render } from "preact";
import { Router } from "wouter-preact";
import { useHashLocation } from "wouter-preact/use-hash-location";
import { queries } from "./api/queries.ts";
import { App } from "./app.tsx";

// The server was updated: the files of this page are gone, and those of the new one are asked for.
addEventListener("vite:preloadError", (event) => {
  event.preventDefault();
  location.reload();
});

const place = document.querySelector("#app");
if (place !== null) {
  render(
    <QueryClientProvider client={queries}>
      <Router hook={useHashLocation}>
        <App />
      </Router>
    </QueryClientProvider>,
    place,
  );
}

# The server, with every part that a setting may need, from the packed packages: `npx -y pnpm@12 run image` packs them into
# test-output/image and builds this.
FROM node:24-slim AS install
WORKDIR /app
COPY test-output/image ./
# What nothing loads goes: TypeScript, source maps, and SQLite's source and programs for other systems.
RUN npm install --omit=dev --ignore-scripts --no-audit --no-fund && rm -rf packages
RUN find node_modules -type f \( -name "*.ts" -o -name "*.cts" -o -name "*.mts" -o -name "*.map" \) -delete
RUN rm -rf node_modules/better-sqlite3/deps node_modules/better-sqlite3/src
RUN find node_modules/better-sqlite3/prebuilds -type f ! -name "$(node -p 'process.platform + "-" + process.arch').node" -delete

FROM node:24-slim
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 SMTP_HOST=0.0.0.0 DATA_DIR=/data
# glibc would keep the memory that reading threads have used: about 50 MB after a flood of mail.
ENV MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=131072
COPY --from=install /app ./
RUN install -d -o node -g node -m 700 /data
USER node
VOLUME /data
EXPOSE 8025 2525
# Liveness, in every role. Readiness, for load balancers, is /readyz.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 8025}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Node is process 1: at SIGTERM it finishes the work in progress and exits within 25 seconds.
STOPSIGNAL SIGTERM
CMD ["node", "node_modules/@letterslot/server/dist/main.js"]

# A worker of TestGRAD as an image: docker-compose.yml starts some.
#
# Candidates are untrusted code. Inside of a container bubblewrap has no user namespaces of its own, so candidates run in
# containers beside this one (--sandbox docker), which a worker starts through the host's Docker socket. Whoever holds
# that socket is root on the host: give these workers a host, or a virtual machine, that holds nothing else of worth, or
# point DOCKER_HOST at a rootless daemon. The candidates' containers themselves get no socket, no network and no
# capabilities.

FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
# The one install script that is allowed fetches a Node, which this image is.
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json ./
COPY scripts scripts
COPY src src
RUN node scripts/build.mjs && npm prune --omit=dev --ignore-scripts

FROM node:24.21.0-bookworm-slim
RUN apt-get update \
  && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends ca-certificates git tini \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY scripts/prepare-cluster.mjs scripts/
# A new named volume takes its owner from here.
RUN mkdir -p /var/lib/testgrad && chown node:node /var/lib/testgrad
ENV NODE_ENV=production TESTGRAD_HOME=/var/lib/testgrad
USER node
# Signals have to reach the worker: on SIGTERM it ends the test file and the model call that it is in.
ENTRYPOINT ["/usr/bin/tini", "--", "node", "/app/dist/cli/main.js"]
CMD ["worker"]

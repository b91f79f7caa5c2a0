# syntax=docker/dockerfile:1
# One executable in a small image: docker build --tag appchain .
# Bun's version is pinned by scripts/setup.sh, dependencies by bun.lock.

FROM node:22-bookworm-slim AS build
WORKDIR /build
# What only changes with the lock file or the runtime comes first, so that a change of sources installs nothing.
COPY package.json bun.lock bunfig.toml ./
COPY scripts/setup.sh scripts/
RUN ROOT=/build; . scripts/setup.sh; find_bun; install_dependencies
COPY . .
# The history is not sent to the builder: --build-arg APPCHAIN_COMMIT=$(git rev-parse HEAD) names the commit.
ARG APPCHAIN_COMMIT=""
RUN ./scripts/build

FROM debian:bookworm-slim
RUN useradd --uid 10001 --create-home --shell /usr/sbin/nologin appchain \
  && install --directory --owner=appchain --group=appchain --mode=0700 /data
COPY --from=build /build/dist/appchain /usr/local/bin/appchain
COPY LICENSE /usr/share/doc/appchain/LICENSE
COPY --chmod=0755 deploy/healthcheck /usr/local/bin/healthcheck
USER 10001:10001
WORKDIR /data
# Chain and keys; the node asks for it as for --base-path.
ENV APPCHAIN_BASE_PATH=/data
VOLUME /data
EXPOSE 9944
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --start-interval=1s CMD ["healthcheck"]
# No shell in between: SIGTERM reaches the node, which stops within five seconds.
STOPSIGNAL SIGTERM
ENTRYPOINT ["appchain"]
CMD ["help"]

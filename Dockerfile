# The builder runs the Makefile's own command, so that the image holds the wheel that the tests install.
FROM python:3.11-slim AS builder
RUN apt-get update && apt-get install -y --no-install-recommends make && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY . .
RUN make wheel

FROM python:3.11-slim
COPY --from=builder /src/dist/*.whl /tmp/wheels/
RUN pip install --no-cache-dir /tmp/wheels/*.whl && rm -r /tmp/wheels
RUN useradd --system --no-create-home referee && install -d -o referee /data
USER referee
# Tables, and the tokens drawn for them, outlive the container here.
ENV REFEREE_DATA=/data
VOLUME /data
HEALTHCHECK CMD ["referee", "healthcheck"]
ENTRYPOINT ["referee"]
# Inside a container loopback reaches nobody.
CMD ["serve", "--host", "0.0.0.0"]

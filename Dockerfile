# docker build -t why429 . && docker run --rm -v "$PWD:/data" why429 investigate /data/logs -o /data/case
FROM eclipse-temurin:17-jdk AS build
WORKDIR /why429
COPY . .
RUN ./mvnw -q -B -Prelease -DskipTests package \
 && mkdir /release && tar -xzf cli/target/why429-*.tar.gz -C /release --strip-components=1

FROM eclipse-temurin:17-jre
RUN useradd --create-home --uid 10429 why429
COPY --from=build /release /opt/why429
USER why429
WORKDIR /data
ENTRYPOINT ["/opt/why429/why429"]

package dev.why429.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Loads one log in turn by ours without redaction, by ours with it, and by the peer, each in a process of its own, and prints the medians.
 * Wall time and peak memory are of the whole process, start of the JVM included.
 */
public final class IngestBenchmark {
    private static final List<String> FLAGS = List.of("-XX:+UseSerialGC", "-Xmx256m");

    private final Path folder;
    private final int threads;
    private final Map<String, List<Run>> runs = new LinkedHashMap<>();

    private record Run(double wallSeconds, double cpuSeconds, double peakMegabytes, String counts) {}

    private IngestBenchmark(Path folder, int threads) {
        this.folder = folder;
        this.threads = threads;
    }

    /** Arguments: lines, rounds, threads; then JVM flags in place of the usual ones. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        int lines = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 5_000_000;
        int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 5;
        int threads = arguments.length > 2
                ? Integer.parseInt(arguments[2])
                : Runtime.getRuntime().availableProcessors();
        List<String> flags = arguments.length > 3 ? List.of(arguments).subList(3, arguments.length) : FLAGS;
        Path folder = Files.createTempDirectory("why429-benchmark");
        try {
            Path log = folder.resolve("access.log");
            CombinedLog.write(log, lines, 429);
            IngestBenchmark benchmark = new IngestBenchmark(folder, threads);
            for (int round = 0; round < rounds; round++) {
                benchmark.run("ours, redact off", flags, LoadOurs.class, log, "off");
                benchmark.run("ours, redact normal", flags, LoadOurs.class, log, "normal");
                benchmark.run("peer, read_csv", flags, LoadPeer.class, log, "");
            }
            benchmark.print(lines, Files.size(log));
        } finally {
            try (var files = Files.list(folder)) {
                for (Path file : files.toList()) {
                    Files.deleteIfExists(file);
                }
            }
            Files.delete(folder);
        }
    }

    private void run(String name, List<String> flags, Class<?> program, Path log, String mode)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName(), log.toString()));
        command.addAll(List.of(folder.resolve("case.duckdb").toString(), Integer.toString(threads), mode));
        long start = System.nanoTime();
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        Path status = Path.of("/proc", Long.toString(process.pid()), "status");
        long peakKilobytes = 0;
        double cpuSeconds = 0;
        while (process.isAlive()) {
            cpuSeconds = process.info()
                    .totalCpuDuration()
                    .map(cpu -> cpu.toMillis() / 1e3)
                    .orElse(cpuSeconds);
            peakKilobytes = Math.max(peakKilobytes, peakKilobytes(status));
            Thread.sleep(5);
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        String counts = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (process.exitValue() != 0) {
            throw new IllegalStateException(name + " failed with exit code " + process.exitValue());
        }
        runs.computeIfAbsent(name, n -> new ArrayList<>())
                .add(new Run(seconds, cpuSeconds, peakKilobytes / 1024.0, counts));
    }

    /** The kernel's own high-water mark; 0 where there is no /proc. */
    private static long peakKilobytes(Path status) {
        try {
            return Files.readAllLines(status).stream()
                    .filter(line -> line.startsWith("VmHWM:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                    .findFirst()
                    .orElse(0);
        } catch (IOException e) {
            return 0;
        }
    }

    private void print(int lines, long bytes) {
        System.out.printf(Locale.ROOT, "%d lines, %d MB, %d threads%n", lines, bytes >> 20, threads);
        System.out.printf(
                "%-22s %8s %8s %8s %8s %8s %8s%n", "", "wall s", "to peer", "cpu s", "to peer", "peak MB", "lost");
        List<Run> peer = runs.get("peer, read_csv");
        double peerWall = median(peer.stream().map(Run::wallSeconds).toList());
        double peerCpu = median(peer.stream().map(Run::cpuSeconds).toList());
        runs.forEach((name, all) -> {
            double wall = median(all.stream().map(Run::wallSeconds).toList());
            double cpu = median(all.stream().map(Run::cpuSeconds).toList());
            double peak = all.stream().mapToDouble(Run::peakMegabytes).max().orElse(0);
            String[] counts = all.get(0).counts().split(" ", 2);
            long lost = lines - Long.parseLong(counts[0]) - Long.parseLong(counts[1]);
            System.out.printf(
                    Locale.ROOT,
                    "%-22s %8.2f %8.2f %8.2f %8.2f %8.0f %8d%n",
                    name,
                    wall,
                    wall / peerWall,
                    cpu,
                    cpu / peerCpu,
                    peak,
                    lost);
        });
    }

    private static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }
}

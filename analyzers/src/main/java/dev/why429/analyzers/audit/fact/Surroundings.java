package dev.why429.analyzers.audit.fact;

import dev.why429.analyzers.audit.Place;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What stands around the limiters: proxies in front, copies of the program, versions of its libraries. */
public final class Surroundings {
    /** @param version as written, {@code ^6.2.1} */
    public record Dependency(String name, String version, Place place) {
        /** First number of the version, or -1. */
        public int major() {
            return number(0);
        }

        /** Second number of the version, or -1. */
        public int minor() {
            return number(1);
        }

        private int number(int index) {
            String[] parts = version.replaceFirst("^[^0-9]*", "").split("[^0-9]+", -1);
            return index < parts.length && !parts[index].isEmpty() && parts[index].length() < 9
                    ? Integer.parseInt(parts[index])
                    : -1;
        }
    }

    /** Copies of these are no copies of the program behind them. */
    private static final List<String> GATEWAYS =
            List.of("controller", "ingress", "nginx", "kong", "apisix", "traefik", "envoy", "haproxy", "istio");

    final List<Proxy> proxies = new ArrayList<>();
    final List<Instances> instances = new ArrayList<>();
    final Map<String, Dependency> dependencies = new HashMap<>();
    /** names of all Deployments and the like, whatever their number of copies */
    final List<String> workloads = new ArrayList<>();

    Surroundings() {}

    public List<Proxy> proxies() {
        return proxies;
    }

    public List<Instances> instances() {
        return instances;
    }

    public Optional<Dependency> dependency(String name) {
        return Optional.ofNullable(dependencies.get(name));
    }

    /**
     * The copies that a limiter at this place runs in, when it is known that there are several. With several workloads in the repository only
     * one whose name is a folder of the path is known to run the code.
     */
    public Optional<Instances> severalFor(Place limiter) {
        return instances.stream()
                .filter(i -> i.most() > 1)
                .filter(i -> GATEWAYS.stream().noneMatch(i.workload()::contains))
                .filter(i -> i.kind() != Instances.Kind.POD ? near(i.place(), limiter) : runs(i.workload(), limiter))
                .findFirst();
    }

    /** The proxy that a program at this place stands behind, when one is known. */
    public Optional<Proxy> inFrontOf(Place program) {
        return proxies.stream()
                .filter(p -> p.serves().isEmpty()
                        || (workloads.size() < 2 && p.serves().size() < 2)
                        || p.serves().stream().anyMatch(service -> runs(service, program)))
                .findFirst();
    }

    private boolean runs(String workload, Place program) {
        return workloads.size() < 2 || ("/" + program.file()).contains("/" + workload + "/") || workload.isEmpty();
    }

    /** A file that starts processes speaks of the program in its own folder or below, or of the whole repository from its root. */
    private static boolean near(Place starter, Place program) {
        String folder = starter.file().contains("/")
                ? starter.file().substring(0, starter.file().lastIndexOf('/'))
                : "";
        for (String part : List.of("/config", "/scripts", "/bin", "/deploy", "/docker")) {
            if (("/" + folder).endsWith(part)) {
                folder = folder.substring(0, Math.max(0, folder.length() - part.length()));
            }
        }
        return folder.isEmpty() || program.file().startsWith(folder + "/");
    }
}

import java.time.Duration;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Reactor. The fault: a step of a flow blocks the threads of the parallel scheduler. */
public class Main {
    static class Rates {
        private final boolean far;

        Rates(boolean far) {
            this.far = far;
        }

        String convert(Integer amount) {
            if (far) {
                ask();
            }
            return "EUR " + amount;
        }

        private void ask() {
            try {
                Thread.sleep(3_600_000);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    static long convert(int count, boolean far) {
        Rates rates = new Rates(far);
        return Flux.range(0, count)
                .flatMap(amount -> Mono.just(amount).publishOn(Schedulers.parallel()).map(rates::convert))
                .count().block();
    }

    public static void main(String[] args) {
        System.setProperty("reactor.schedulers.defaultPoolSize", "4");
        Mono.fromCallable(() -> convert(8, false)).subscribeOn(Schedulers.boundedElastic()).block();
        Mono.fromCallable(() -> 1).subscribeOn(Schedulers.single()).block();
        Flux<Long> ticks = Flux.interval(Duration.ofMinutes(10));
        if (args[0].equals("fault")) {
            Mono.delay(Duration.ofSeconds(1), Schedulers.single())
                    .subscribe(ignored -> System.out.println("READY"));
            convert(8, true);
        }
        System.out.println("READY");
        ticks.blockLast();
    }
}

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import com.hazelcast.core.IExecutorService;
import com.hazelcast.map.EntryProcessor;
import com.hazelcast.map.IMap;
import com.hazelcast.topic.ITopic;
import com.hazelcast.topic.Message;
import java.io.Serializable;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/** Faults of what a program runs inside of the members. */
final class Faults {
    private Faults() {
    }

    static void provoke(String fault, HazelcastInstance member) {
        IMap<Integer, String> items = member.getMap("items");
        for (int i = 0; i < 100; i++) {
            items.put(i, "item");
        }
        switch (fault) {
            case "entry-processor" -> {
                for (Integer key : items.localKeySet()) {
                    items.submitToKey(key, new Reprice());
                    return;
                }
            }
            case "jobs" -> {
                IExecutorService jobs = member.getExecutorService("jobs");
                for (int i = 0; i < 2; i++) {
                    jobs.submitToMember(new Job(), member.getCluster().getLocalMember());
                }
            }
            case "listener" -> {
                ITopic<String> orders = member.getTopic("orders");
                orders.addMessageListener(Faults::bill);
                orders.publish("order");
            }
            default -> throw new IllegalArgumentException(fault);
        }
    }

    /** Waits on a partition's thread. */
    static final class Reprice implements EntryProcessor<Integer, String, String> {
        @Override
        public String process(Map.Entry<Integer, String> entry) {
            return rate();
        }

        private String rate() {
            return new CompletableFuture<String>().join();
        }
    }

    /** Waits for a job of the same pool, whose threads all wait so. */
    static final class Job implements Callable<String>, Serializable, HazelcastInstanceAware {
        private transient HazelcastInstance member;

        @Override
        public void setHazelcastInstance(HazelcastInstance instance) {
            member = instance;
        }

        @Override
        public String call() throws Exception {
            Thread.sleep(500);
            return part();
        }

        private String part() throws Exception {
            return member.getExecutorService("jobs").submitToMember(new Job(), member.getCluster().getLocalMember())
                .get();
        }
    }

    private static void bill(Message<String> message) {
        new CompletableFuture<String>().join();
    }
}

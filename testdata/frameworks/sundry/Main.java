import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Scheduler;
import com.google.common.base.FinalizablePhantomReference;
import com.google.common.base.FinalizableReferenceQueue;
import com.mchange.v2.c3p0.ComboPooledDataSource;
import com.mongodb.client.MongoClients;
import io.netty.util.HashedWheelTimer;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.schedulers.Schedulers;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import kotlin.coroutines.EmptyCoroutineContext;
import kotlinx.coroutines.Dispatchers;
import org.apache.commons.dbcp2.BasicDataSource;
import org.apache.http.impl.nio.client.CloseableHttpAsyncClient;
import org.apache.http.impl.nio.client.HttpAsyncClients;
import org.apache.logging.log4j.LogManager;
import org.apache.pekko.actor.ActorSystem;
import org.apache.tomcat.jdbc.pool.PoolProperties;
import org.apache.zookeeper.ZooKeeper;

/**
 * Libraries that keep threads in the background. The fault: the connections of Commons DBCP are taken and never given
 * back, and callers wait for one.
 */
public class Main {
    private static final List<Object> KEPT = new ArrayList<>();

    static <T> T keep(T library) {
        KEPT.add(library);
        return library;
    }

    static class Exporter implements SpanExporter {
        @Override
        public CompletableResultCode export(Collection<SpanData> spans) {
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode flush() {
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode shutdown() {
            return CompletableResultCode.ofSuccess();
        }
    }

    static class Orders {
        private final DataSource pool;

        Orders(DataSource pool) {
            this.pool = pool;
        }

        boolean load() {
            try (Connection connection = pool.getConnection()) {
                return connection.isReadOnly();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    static Orders startPools() throws Exception {
        BasicDataSource commons = keep(new BasicDataSource());
        commons.setUrl("jdbc:h2:mem:orders");
        commons.setMaxTotal(2);
        commons.setDurationBetweenEvictionRuns(Duration.ofMinutes(5));
        ComboPooledDataSource c3p0 = keep(new ComboPooledDataSource());
        c3p0.setJdbcUrl("jdbc:h2:mem:orders");
        c3p0.setMaxPoolSize(3);
        c3p0.getConnection().close();
        PoolProperties properties = new PoolProperties();
        properties.setUrl("jdbc:h2:mem:orders");
        properties.setDriverClassName("org.h2.Driver");
        properties.setTimeBetweenEvictionRunsMillis(300_000);
        properties.setRemoveAbandoned(true);
        keep(new org.apache.tomcat.jdbc.pool.DataSource(properties)).getConnection().close();
        keep(DriverManager.getConnection("jdbc:h2:" + Files.createTempDirectory("h2") + "/orders"));
        Class.forName("com.mysql.cj.jdbc.Driver");
        Orders orders = new Orders(commons);
        orders.load();
        return orders;
    }

    static void startClients() throws Exception {
        keep(new ZooKeeper("127.0.0.1:1", 600_000, event -> { }));
        keep(MongoClients.create("mongodb://127.0.0.1:1/"));
        CloseableHttpAsyncClient http = keep(HttpAsyncClients.createDefault());
        http.start();
    }

    static void startHelpers() throws Exception {
        LogManager.getLogger(Main.class).info("hello");
        FinalizableReferenceQueue references = keep(new FinalizableReferenceQueue());
        keep(new FinalizablePhantomReference<>(keep(new Object()), references) {
            @Override
            public void finalizeReferent() {
                KEPT.remove(this);
            }
        });
        keep(Caffeine.newBuilder().expireAfterWrite(Duration.ofMinutes(5)).scheduler(Scheduler.systemScheduler()).build()).put(1, 1);
        keep(SdkTracerProvider.builder().addSpanProcessor(BatchSpanProcessor.builder(new Exporter()).build()).build());
        keep(new HashedWheelTimer()).newTimeout(timeout -> { }, 1, TimeUnit.HOURS);
        keep(ActorSystem.create()).scheduler().scheduleOnce(Duration.ofHours(1), () -> { }, ActorSystem.create().dispatcher());
        for (int i = 0; i < 4; i++) {
            Dispatchers.getDefault().dispatch(EmptyCoroutineContext.INSTANCE, () -> { });
            Dispatchers.getIO().dispatch(EmptyCoroutineContext.INSTANCE, () -> { });
        }
        Flowable.range(0, 100).observeOn(Schedulers.computation()).subscribeOn(Schedulers.io()).blockingLast();
    }

    public static void main(String[] args) throws Exception {
        System.setProperty("log4j2.contextSelector", "org.apache.logging.log4j.core.async.AsyncLoggerContextSelector");
        Orders orders = startPools();
        startClients();
        startHelpers();
        if (args[0].equals("fault")) {
            for (int i = 0; i < 2; i++) {
                keep(((DataSource) KEPT.get(0)).getConnection());
            }
            for (int i = 1; i <= 4; i++) {
                new Thread(orders::load, "t-" + i).start();
            }
        }
        Thread.sleep(2000);
        System.out.println("READY");
        Thread.sleep(Long.MAX_VALUE);
    }
}

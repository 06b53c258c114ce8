import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.netty.channel.nio.NioEventLoopGroup;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import javax.sql.DataSource;
import org.apache.commons.pool2.BasePooledObjectFactory;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.impl.DefaultPooledObject;
import org.apache.commons.pool2.impl.GenericObjectPool;
import org.apache.tomcat.jdbc.pool.PoolProperties;

/**
 * Pooling: threads wait for objects of pools that are empty, and four tasks for an event loop, when it prints READY.
 */
final class Pooling {
    interface Task {
        void run() throws Exception;
    }

    public static void main(String[] args) throws Exception {
        HikariConfig config = new HikariConfig();
        config.setDataSource(source());
        config.setMaximumPoolSize(3);
        config.setMinimumIdle(3);
        config.setConnectionTimeout(9_000_000);
        HikariDataSource hikari = new HikariDataSource(config);
        for (int i = 0; i < 3; i++) {
            hikari.getConnection();
        }
        start("hikari", hikari::getConnection);
        start("hikari-too", hikari::getConnection);
        GenericObjectPool<Object> commons = new GenericObjectPool<>(new BasePooledObjectFactory<Object>() {
            @Override
            public Object create() {
                return new Object();
            }

            @Override
            public PooledObject<Object> wrap(Object o) {
                return new DefaultPooledObject<>(o);
            }
        });
        commons.setMaxTotal(2);
        commons.borrowObject();
        commons.borrowObject();
        start("commons", commons::borrowObject);
        PoolProperties properties = new PoolProperties();
        properties.setDataSource(source());
        properties.setMaxActive(2);
        properties.setMaxWait(9_000_000);
        org.apache.tomcat.jdbc.pool.DataSource tomcat = new org.apache.tomcat.jdbc.pool.DataSource(properties);
        tomcat.getConnection();
        tomcat.getConnection();
        start("tomcat", tomcat::getConnection);
        NioEventLoopGroup loops = new NioEventLoopGroup(1, (ThreadFactory) task -> new Thread(task, "loop"));
        CountDownLatch busy = new CountDownLatch(1);
        loops.execute(() -> sleep(busy));
        busy.await();
        for (int i = 0; i < 4; i++) {
            loops.execute(() -> sleep(busy));
        }
        Thread.sleep(1000);
        System.gc();
        System.out.println("READY");
        Thread.sleep(Long.MAX_VALUE);
    }

    private static void sleep(CountDownLatch begun) {
        begun.countDown();
        try {
            Thread.sleep(Long.MAX_VALUE);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A fake data source: its connections do nothing. */
    private static DataSource source() {
        return (DataSource) Proxy.newProxyInstance(Pooling.class.getClassLoader(), new Class<?>[] {DataSource.class},
            (proxy, method, args) -> method.getName().endsWith("Connection") ? connection() : none(method.getReturnType()));
    }

    private static Object connection() {
        return Proxy.newProxyInstance(Pooling.class.getClassLoader(), new Class<?>[] {Connection.class},
            (proxy, method, args) -> method.getName().equals("isValid") ? Boolean.TRUE : none(method.getReturnType()));
    }

    private static Object none(Class<?> type) {
        if (type == boolean.class) {
            return false;
        }
        return type == int.class ? (Object) 0 : null;
    }

    private static void start(String name, Task task) {
        Thread thread = new Thread(() -> {
            try {
                task.run();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }, name);
        thread.start();
    }
}

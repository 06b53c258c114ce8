package com.acme.support;

import com.google.common.cache.CacheBuilder;
import com.google.common.cache.CacheLoader;
import com.google.common.cache.LoadingCache;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.commons.pool2.impl.GenericObjectPool;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import org.apache.commons.pool2.BasePooledObjectFactory;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.impl.DefaultPooledObject;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.AbstractHandler;
import org.eclipse.jetty.util.log.Log;
import org.eclipse.jetty.util.log.StdErrLog;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** Articles of a help desk: Jetty, a Guava cache, pooled digests; forty requests a second, each some milliseconds of work. */
public class KnowledgeBaseApp {
    static class DigestFactory extends BasePooledObjectFactory<MessageDigest> {
        @Override
        public MessageDigest create() throws NoSuchAlgorithmException {
            return MessageDigest.getInstance("SHA-256");
        }

        @Override
        public PooledObject<MessageDigest> wrap(MessageDigest digest) {
            return new DefaultPooledObject<>(digest);
        }
    }

    static class ArticleHandler extends AbstractHandler {
        private final GenericObjectPool<MessageDigest> digests = new GenericObjectPool<>(new DigestFactory(), poolConfig());
        private final LoadingCache<String, String> articles = CacheBuilder.newBuilder().maximumSize(100)
                .expireAfterWrite(200, TimeUnit.MILLISECONDS).build(CacheLoader.from(this::render));

        @Override
        public void handle(String target, Request base, HttpServletRequest request, HttpServletResponse response)
                throws IOException {
            response.getWriter().println(articles.getUnchecked(target));
            base.setHandled(true);
        }

        private String render(String target) {
            try {
                MessageDigest digest = digests.borrowObject();
                try {
                    byte[] text = target.repeat(1_000).getBytes(StandardCharsets.UTF_8);
                    for (int i = 0; i < 100; i++) {
                        text = (new String(digest.digest(text)) + target.repeat(500)).getBytes(StandardCharsets.UTF_8);
                    }
                    return target + " version " + text[0];
                } finally {
                    digests.returnObject(digest);
                }
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }

        private static GenericObjectPoolConfig<MessageDigest> poolConfig() {
            GenericObjectPoolConfig<MessageDigest> config = new GenericObjectPoolConfig<>();
            config.setMaxTotal(4);
            return config;
        }
    }

    public static void main(String[] args) throws Exception {
        Log.setLog(new StdErrLog());
        ((StdErrLog) Log.getLog()).setLevel(StdErrLog.LEVEL_OFF);
        QueuedThreadPool threads = new QueuedThreadPool(12, 8);
        threads.setName("helpdesk");
        Server server = new Server(threads);
        ServerConnector connector = new ServerConnector(server, 1, 1);
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        server.setHandler(new ArticleHandler());
        server.start();

        HttpClient client = HttpClient.newHttpClient();
        HttpRequest article = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + connector.getLocalPort() + "/printer-setup")).build();
        if (client.send(article, HttpResponse.BodyHandlers.ofString()).statusCode() != 200) {
            throw new IllegalStateException("no article");
        }
        Executors.newSingleThreadScheduledExecutor(task -> new Thread(task, "load-generator")).scheduleAtFixedRate(
                () -> client.sendAsync(article, HttpResponse.BodyHandlers.discarding()), 0, 25, TimeUnit.MILLISECONDS);
        Thread.sleep(1_000);
        System.out.println("READY");
        server.join();
    }
}

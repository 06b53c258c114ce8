package com.shop;
import com.zaxxer.hikari.*; import java.sql.*; import java.util.concurrent.*; import java.net.*; import java.io.*;
import org.apache.http.impl.client.*; import org.apache.http.impl.conn.*; import org.apache.http.client.methods.*; import org.apache.http.util.*;
import org.apache.commons.pool2.*; import org.apache.commons.pool2.impl.*;
public class Shop {
  static class V { static void start(String n, Runnable r) throws Exception { Object b = Thread.class.getMethod("ofVirtual").invoke(null); Class<?> c = Class.forName("java.lang.Thread$Builder"); b = c.getMethod("name", String.class).invoke(b, n); c.getMethod("start", Runnable.class).invoke(b, r); } }
  static class Repo { final HikariDataSource ds; Repo(HikariDataSource d){ds=d;}
    Connection open() throws SQLException { return ds.getConnection(); } }
  static class Stock { final Repo repo; Stock(Repo r){repo=r;}
    void update() throws Exception { try (Connection c = repo.open()) { c.setAutoCommit(false);
       try (Statement s = c.createStatement()) { s.executeUpdate("update item set n=n+1 where id=1"); }
       callSupplier(); c.commit(); } }
    void read() throws Exception { try (Connection c = repo.open(); PreparedStatement p = c.prepareStatement("select sum(a.x*b.x) from system_range(1,3000) a, system_range(1,3000) b")) { p.executeQuery(); } } 
    void callSupplier() throws Exception { try (Socket s = new Socket("127.0.0.1", port)) { s.getInputStream().read(); } } }
  static int port;
  static class Limited { final Semaphore s = new Semaphore(2);
    void enter() throws Exception { s.acquire(); }
    void run(boolean slow) throws Exception {
      enter();
      try {
        if (slow) new Stock(null).callSupplier();
        else Thread.sleep(5);
      } finally { s.release(); } } }
  public static void main(String[] a) throws Exception {
    ServerSocket ss = new ServerSocket(0, 200); port = ss.getLocalPort();
    HikariConfig hc = new HikariConfig(); hc.setJdbcUrl("jdbc:h2:mem:x;LOCK_TIMEOUT=600000"); hc.setMaximumPoolSize(3); hc.setMinimumIdle(1);
    switch (a[0]) {
    case "hikari": case "rowlock": case "busy": {
      HikariDataSource ds = new HikariDataSource(hc);
      try (Connection c = ds.getConnection(); Statement s = c.createStatement()) { s.execute("create table item(id int primary key, n int)"); s.execute("insert into item values(1,0),(2,0)"); }
      Stock stock = new Stock(new Repo(ds));
      ExecutorService e = Executors.newFixedThreadPool(8, r -> new Thread(r, "order-" + r.hashCode()%1000));
      for (int i=0;i<8;i++) { final int k=i; e.submit(() -> { try { while (true) { if (a[0].equals("busy")) { stock.read(); } else stock.update(); if(a[0].equals("busy")) Thread.sleep(50); } } catch (Exception x) { x.printStackTrace(); } }); }
      break; }
    case "semaphore": case "semok": {
      Limited l = new Limited();
      for (int i=0;i<6;i++) new Thread(() -> { try { while (true) { l.run(a[0].equals("semaphore")); Thread.sleep(20); } } catch (Exception x) {} }, "lane-"+i).start();
      break; }
    case "virtual": {
      Limited l = new Limited();
      for (int i=0;i<40;i++) V.start("call-"+i, () -> { try { l.run(true); } catch (Exception x) {} });
      break; }
    case "nested": {
      HikariDataSource ds = new HikariDataSource(hc);
      Repo r = new Repo(ds);
      for (int i=0;i<6;i++) new Thread(() -> { try { while (true) { Connection c = r.open();
          Thread.sleep(30);
          Connection d = r.open();
          d.close(); c.close(); } } catch (Exception x) { x.printStackTrace(); } }, "audit-"+i).start();
      break; }
    case "http": {
      PoolingHttpClientConnectionManager m = new PoolingHttpClientConnectionManager(); m.setDefaultMaxPerRoute(2);
      CloseableHttpClient c = HttpClients.custom().setConnectionManager(m).build();
      for (int i=0;i<6;i++) new Thread(() -> { try { EntityUtils.toString(c.execute(new HttpGet("http://127.0.0.1:"+port+"/")).getEntity()); } catch (Exception x) { x.printStackTrace(); } }, "fetch-"+i).start();
      break; }
    case "pool2": {
      GenericObjectPool<Socket> p = new GenericObjectPool<>(new BasePooledObjectFactory<Socket>() { public Socket create() throws Exception { return new Socket("127.0.0.1", port); } public PooledObject<Socket> wrap(Socket s) { return new DefaultPooledObject<>(s); } });
      p.setMaxTotal(2);
      for (int i=0;i<5;i++) new Thread(() -> { try { Socket s = p.borrowObject();
        try { s.getInputStream().read(); } finally { p.returnObject(s); } } catch (Exception x) { x.printStackTrace(); } }, "mail-"+i).start();
      break; }
    }
    ScheduledExecutorService idle = Executors.newScheduledThreadPool(2); idle.scheduleAtFixedRate(() -> {}, 1, 1, TimeUnit.SECONDS);
    System.out.println("READY"); Thread.sleep(600000);
  }
}

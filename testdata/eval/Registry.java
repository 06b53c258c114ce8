import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.server.UnicastRemoteObject;

/** An RMI server with a registry of its own, called once a second by a client in the same JVM. */
public class Registry {
    public interface Clerk extends Remote {
        int next() throws RemoteException;
    }

    static class Desk implements Clerk {
        private int number;

        @Override
        public synchronized int next() {
            return number++;
        }
    }

    public static void main(String[] args) throws Exception {
        System.setProperty("java.rmi.server.hostname", "127.0.0.1");
        Desk desk = new Desk();
        Clerk stub = (Clerk) UnicastRemoteObject.exportObject(desk, 0);
        java.rmi.registry.Registry names = LocateRegistry.createRegistry(0);
        names.bind("clerk", stub);
        Clerk remote = (Clerk) names.lookup("clerk");
        System.out.println(remote.next());
        System.out.println("READY");
        while (remote.next() < 1_000_000) {
            Thread.sleep(1000);
        }
    }
}

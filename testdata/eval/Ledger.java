import java.util.concurrent.CountDownLatch;

/** Two transfers take the same two accounts in opposite order; an audit waits behind them. */
public class Ledger {
    static final class Account {
        private long balance;

        Account(long balance) {
            this.balance = balance;
        }

        synchronized long balance() {
            return balance;
        }

        synchronized void deposit(long amount) {
            balance += amount;
        }

        void send(Account to, long amount, CountDownLatch step) throws InterruptedException {
            synchronized (this) {
                balance -= amount;
                step.countDown();
                step.await();
                to.deposit(amount);
            }
        }
    }

    static Thread worker(String name, Runnable work) {
        Thread t = new Thread(work, name);
        t.start();
        return t;
    }

    public static void main(String[] args) throws Exception {
        Account rent = new Account(100);
        Account food = new Account(100);
        CountDownLatch step = new CountDownLatch(2);
        worker("t-1", () -> move(rent, food, step));
        worker("t-2", () -> move(food, rent, step));
        step.await();
        Thread.sleep(300);
        worker("t-3", () -> System.out.println(rent.balance() + food.balance()));
        Thread.sleep(200);
        System.out.println("READY");
    }

    static void move(Account from, Account to, CountDownLatch step) {
        try {
            from.send(to, 5, step);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

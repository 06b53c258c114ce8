import java.util.concurrent.Phaser;

/** A phaser has one party more registered than there are threads to arrive. */
public class Pilgrims {
    private final Phaser stages = new Phaser(1);

    private void walk() {
        for (int day = 0; day < 10; day++) {
            camp();
        }
        stages.arriveAndDeregister();
    }

    private int camp() {
        return stages.arriveAndAwaitAdvance();
    }

    public static void main(String[] args) throws Exception {
        Pilgrims pilgrims = new Pilgrims();
        pilgrims.stages.bulkRegister(3);
        for (int i = 1; i <= 3; i++) {
            new Thread(pilgrims::walk, "t-" + i).start();
        }
        for (int day = 0; day < 4; day++) {
            pilgrims.stages.arriveAndAwaitAdvance();
        }
        Thread.sleep(400);
        System.out.println("READY");
    }
}

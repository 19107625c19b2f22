import com.sun.management.OperatingSystemMXBean;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import weka.classifiers.AbstractClassifier;
import weka.core.Instance;
import weka.core.Instances;
import weka.core.Version;
import weka.core.converters.ConverterUtils.DataSource;

/**
 * Let a classifier of Weka learn from FOLDER/train.arff and predict FOLDER/test.arff.
 *
 * Writes FOLDER/model.txt and FOLDER/answers.csv, the probabilities of the classes or the quantity
 * of each row, and prints the version and the CPU seconds of learning and of predicting, one a line.
 * Arguments: FOLDER CLASS [OPTION ...].
 */
public class Weka {
    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        Instances train = read(folder.resolve("train.arff"));
        Instances test = read(folder.resolve("test.arff"));
        String[] options = Arrays.copyOfRange(arguments, 2, arguments.length);
        AbstractClassifier classifier =
            (AbstractClassifier) AbstractClassifier.forName(arguments[1], options);

        double began = cpuSeconds();
        classifier.buildClassifier(train);
        double learned = cpuSeconds();
        double[][] answers = new double[test.numInstances()][];
        for (int row = 0; row < answers.length; row++) {
            answers[row] = classifier.distributionForInstance(test.instance(row));
        }
        double done = cpuSeconds();

        Files.writeString(folder.resolve("model.txt"), classifier.toString());
        try (PrintWriter out = new PrintWriter(folder.resolve("answers.csv").toFile())) {
            for (double[] row : answers) {
                String text = Arrays.toString(row);
                out.println(text.substring(1, text.length() - 1));
            }
        }
        System.out.println(Version.VERSION);
        System.out.println(learned - began);
        System.out.println(done - learned);
    }

    static Instances read(Path path) throws Exception {
        Instances rows = DataSource.read(path.toString());
        rows.setClassIndex(rows.numAttributes() - 1);
        return rows;
    }

    static double cpuSeconds() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
            .getProcessCpuTime() / 1e9;
    }
}
